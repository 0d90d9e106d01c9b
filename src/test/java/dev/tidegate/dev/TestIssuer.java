package dev.tidegate.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jose4j.json.JsonUtil;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/** An issuer of tokens with two keys of its own, {@code rsa} and {@code ec}. */
public final class TestIssuer {

  /** What its tokens name as their issuer. */
  public static final String NAME = "https://issuer.test";

  /** What its tokens are for. */
  public static final String AUDIENCE = "tidegate-test";

  private static final String SHARED = "tests.issuer.keys";

  /** A folder with the keys of an issuer that a service beside the tests trusts. */
  private static final String GIVEN = "tests.credentials";

  private static final String KEPT = "issuer.jwks";

  private final JsonWebKeySet keys;

  private TestIssuer(JsonWebKeySet keys) {
    this.keys = keys;
  }

  /** An issuer with new keys. */
  public static TestIssuer create() {
    try {
      PublicJsonWebKey rsa = RsaJwkGenerator.generateJwk(2048);
      rsa.setKeyId("rsa");
      PublicJsonWebKey ec = EcJwkGenerator.generateJwk(EllipticCurves.P256);
      ec.setKeyId("ec");
      return new TestIssuer(new JsonWebKeySet(rsa, ec));
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The issuer that the service trusts in tests; one for all of this JVM. */
  public static TestIssuer shared() {
    // Kept in the system properties: Quarkus loads this class once per application it starts.
    Properties properties = System.getProperties();
    synchronized (properties) {
      try {
        String known = properties.getProperty(SHARED);
        if (known != null) {
          return new TestIssuer(new JsonWebKeySet(known));
        }
        TestIssuer issuer = givenOrNew(properties.getProperty(GIVEN, ""));
        properties.setProperty(SHARED, issuer.keys.toJson(OutputControlLevel.INCLUDE_PRIVATE));
        return issuer;
      } catch (JoseException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static TestIssuer givenOrNew(String folder) throws JoseException {
    try {
      return folder.isBlank()
          ? create()
          : new TestIssuer(new JsonWebKeySet(Files.readString(Path.of(folder, KEPT))));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Keeps it, private keys and all, for tests that are told the folder. */
  void keep(Path folder) throws IOException {
    Files.writeString(folder.resolve(KEPT), keys.toJson(OutputControlLevel.INCLUDE_PRIVATE));
  }

  /** The public keys, as an issuer publishes them. */
  public String keySet() {
    return keys.toJson(OutputControlLevel.PUBLIC_ONLY);
  }

  /** Writes the public keys to a file. */
  public void publish(Path file) {
    try {
      Files.writeString(file, keySet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same issuer, the ids of whose keys end in something else. */
  public TestIssuer renamed(String end) {
    keys.getJsonWebKeys().forEach(key -> key.setKeyId(key.getKeyId() + end));
    return this;
  }

  private PublicJsonWebKey key(String kind) {
    return (PublicJsonWebKey)
        keys.getJsonWebKeys().stream()
            .filter(key -> String.valueOf(key.getKeyId()).startsWith(kind))
            .findFirst()
            .orElseThrow();
  }

  /** The public half of the RSA key. */
  public Key publicKey() {
    return key("rsa").getPublicKey();
  }

  /** A token that is good for five minutes, of a caller with these roles. */
  public Token token(String name, String... roles) {
    long now = System.currentTimeMillis() / 1000;
    return new Token(
            AlgorithmIdentifiers.RSA_USING_SHA256,
            key("rsa").getPrivateKey(),
            key("rsa").getKeyId(),
            Map.of())
        .with("iss", NAME)
        .with("aud", AUDIENCE)
        .with("sub", name)
        .with("iat", now - 5)
        .with("exp", now + 300)
        .with("groups", List.of(roles));
  }

  /** A token of the same caller that is signed with the key {@code ec}. */
  public Token withEc(Token token) {
    return token.signed(
        AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
        key("ec").getPrivateKey(),
        key("ec").getKeyId());
  }

  /**
   * A token before it is signed.
   *
   * @param key null = it stays unsigned
   * @param keyId null = the token names none
   */
  public record Token(
      String algorithm, @Nullable Key key, @Nullable String keyId, Map<String, Object> claims) {

    /** The token with another value of a claim, without the claim when it is null. */
    public Token with(String claim, @Nullable Object value) {
      Map<String, Object> changed = new TreeMap<>(claims);
      if (value == null) {
        changed.remove(claim);
      } else {
        changed.put(claim, value);
      }
      return new Token(algorithm, key, keyId, changed);
    }

    /** The token, signed in another way. */
    public Token signed(String how, @Nullable Key with, @Nullable String id) {
      return new Token(how, with, id, claims);
    }

    /** The token as it is sent. */
    public String text() {
      JsonWebSignature signature = new JsonWebSignature();
      signature.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
      signature.setAlgorithmHeaderValue(algorithm);
      signature.setDoKeyValidation(false);
      signature.setPayload(JsonUtil.toJson(claims));
      if (key != null) {
        signature.setKey(key);
      }
      if (keyId != null) {
        signature.setKeyIdHeaderValue(keyId);
      }
      try {
        return signature.getCompactSerialization();
      } catch (JoseException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
