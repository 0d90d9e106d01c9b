package dev.tidegate.dev;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A key and a certificate of its own making, for a server or a client on this machine.
 *
 * @param certificate in PEM
 * @param key in PEM
 */
public record Identity(Path certificate, Path key) {

  private static final String PASSWORD = "of-no-value";
  private static final long DEADLINE_SECONDS = 60;
  private static final int LINE = 64;

  /**
   * Makes one with the JDK's keytool; it holds for a day, for 127.0.0.1 and localhost.
   *
   * @param folder where its files are put
   * @param name what its certificate and its files are called
   */
  public static Identity make(Path folder, String name) {
    try {
      Files.createDirectories(folder);
      Path store = folder.resolve(name + ".p12");
      generate(store, name);
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      Path certificate = folder.resolve(name + ".crt");
      Path key = folder.resolve(name + ".key");
      Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
      byte[] secret = keys.getKey(name, PASSWORD.toCharArray()).getEncoded();
      Files.writeString(key, pem("PRIVATE KEY", secret));
      return new Identity(certificate, key);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void generate(Path store, String name) throws IOException {
    Path log = store.resolveSibling(name + ".log");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!keytool.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        keytool.destroyForcibly();
        throw new IOException("keytool failed: " + Files.readString(log));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  private static String pem(String kind, byte[] der) {
    String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, text, kind);
  }
}
