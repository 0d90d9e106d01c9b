package dev.tidegate.dev;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** The credentials of tests beside the demo keys: an issuer of tokens, and a file with keys. */
public final class TestCredentials implements QuarkusTestResourceLifecycleManager {

  /** A key of the file: role meter, bound to the subject {@code demo}. */
  public static final String BOUND_METER = "test-bound-meter";

  /** A key of the file: role viewer, bound to nobody. */
  public static final String FREE_VIEWER = "test-free-viewer";

  /** The SHA-256 of a key, in hexadecimal digits. */
  public static String sha256(String key) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Map<String, String> start() {
    try {
      Path folder = Files.createDirectories(Path.of("target", "test-credentials"));
      long pid = ProcessHandle.current().pid();
      Path keySet = folder.resolve("keys-" + pid + ".jwks").toAbsolutePath();
      TestIssuer.shared().publish(keySet);
      Path keys = folder.resolve("keys-" + pid + ".yaml").toAbsolutePath();
      Files.writeString(
          keys,
          """
          keys:
            bound-meter: {sha256: %s, roles: [meter], subject: demo}
            free-viewer: {sha256: %s, roles: [viewer]}
          """
              .formatted(sha256(BOUND_METER), sha256(FREE_VIEWER)));
      return Map.of(
          "mp.jwt.verify.issuer",
          TestIssuer.NAME,
          "mp.jwt.verify.audiences",
          TestIssuer.AUDIENCE,
          "mp.jwt.verify.publickey.location",
          keySet.toString(),
          "tidegate.api-keys-file",
          keys.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Leaves the files in the build folder. */
  @Override
  public void stop() {}
}
