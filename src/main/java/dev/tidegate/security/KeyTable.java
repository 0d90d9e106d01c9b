package dev.tidegate.security;

import dev.tidegate.config.TidegateSettings.ApiKey;
import dev.tidegate.domain.Identifiers;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One version of the API keys, by their SHA-256. A key is found by its digest, and digests are
 * compared in constant time, so that the time a look-up takes tells nothing of any key.
 */
final class KeyTable {

  private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");

  private static final List<String> DEMO =
      List.of("demo-meter", "demo-viewer", "demo-operator", "demo-admin");

  private final Map<Digest, SecurityIdentity> byDigest = new HashMap<>();

  /** Where keys come from: how a message names one of them. */
  enum Source {
    SETTINGS,

    /** A name in it may be a key that was written in the wrong place, and is not told. */
    FILE;

    private String place(String name, int index) {
      return switch (this) {
        case SETTINGS -> "tidegate.api-keys." + name;
        case FILE -> "$.keys[" + index + "]";
      };
    }
  }

  /** A SHA-256. */
  private static final class Digest {

    private final byte[] bytes;

    Digest(byte[] bytes) {
      this.bytes = bytes;
    }

    static Digest of(String key) {
      try {
        return new Digest(
            MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public int hashCode() {
      return ByteBuffer.wrap(bytes).getInt();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Digest digest && MessageDigest.isEqual(bytes, digest.bytes);
    }
  }

  /**
   * Adds keys.
   *
   * @param keys by a name that is no secret
   * @throws IllegalArgumentException if a key is at fault, or there already; the message names what
   *     of it
   */
  KeyTable add(Source source, Map<String, ? extends ApiKey> keys) {
    int index = 0;
    for (Map.Entry<String, ? extends ApiKey> key : keys.entrySet()) {
      add(source.place(key.getKey(), index++), key.getKey(), key.getValue());
    }
    return this;
  }

  private void add(String setting, String name, ApiKey key) {
    if (!SHA256.matcher(key.sha256()).matches()) {
      throw new IllegalArgumentException(setting + ".sha256 must be 64 hexadecimal digits");
    }
    if (key.roles().isEmpty() || !Roles.ALL.containsAll(key.roles())) {
      throw new IllegalArgumentException(setting + ".roles must be some of " + Roles.ALL);
    }
    QuarkusSecurityIdentity.Builder identity =
        QuarkusSecurityIdentity.builder()
            .setPrincipal(new QuarkusPrincipal(name))
            .addRoles(Roles.held(key.roles()));
    key.subject()
        .ifPresent(
            subject -> {
              String fault = Identifiers.faultOfId(subject);
              if (fault != null) {
                throw new IllegalArgumentException(setting + ".subject " + fault);
              }
              identity.addAttribute(Caller.SUBJECT, subject);
            });
    byte[] digest = HexFormat.of().parseHex(key.sha256().toLowerCase(Locale.ROOT));
    if (byDigest.put(new Digest(digest), identity.build()) != null) {
      throw new IllegalArgumentException(setting + ".sha256 is that of another key, too");
    }
  }

  boolean isEmpty() {
    return byDigest.isEmpty();
  }

  int size() {
    return byDigest.size();
  }

  /** Whether one of the well-known keys of the demo is there, under whatever name. */
  boolean hasDemoKey() {
    return DEMO.stream().anyMatch(key -> identityOf(key) != null);
  }

  /** Whose key this is, or null when it is nobody's. */
  @Nullable SecurityIdentity identityOf(String key) {
    return byDigest.get(Digest.of(key));
  }
}
