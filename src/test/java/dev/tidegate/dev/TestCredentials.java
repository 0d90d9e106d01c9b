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
import java.util.Locale;
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
      Path folder = Path.of("target", "test-credentials");
      String end = "-" + ProcessHandle.current().pid();
      Files.createDirectories(folder);
      return write(TestIssuer.shared(), folder.toAbsolutePath(), end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes the credentials for a service that is started beside the tests, which are then told the
   * folder by {@code -Dtests.credentials}. Prints the service's settings, for a container that
   * finds the folder at {@code /credentials}.
   *
   * @param args the folder, made when missing
   */
  public static void main(String... args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[0]));
    TestIssuer issuer = TestIssuer.create();
    issuer.keep(folder);
    write(issuer, folder, "")
        .forEach(
            (name, value) ->
                System.out.printf(
                    "%s=%s%n",
                    name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"),
                    value.replace(folder.toString(), "/credentials")));
  }

  private static Map<String, String> write(TestIssuer issuer, Path folder, String end)
      throws IOException {
    Path keySet = folder.resolve("keys" + end + ".jwks");
    issuer.publish(keySet);
    Path keys = folder.resolve("keys" + end + ".yaml");
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
  }

  /** Leaves the files in the build folder. */
  @Override
  public void stop() {}
}
