package dev.tidegate.dev;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.error.OsArchitectureNotFound;
import redis.embedded.error.UnknownOSName;
import redis.embedded.model.OsArchitecture;

/** The Redis server that the embedded-redis artefact carries for this machine. */
public final class RedisBinary {

  private RedisBinary() {}

  /**
   * The executable, copied into {@code folder} unless it is there already.
   *
   * @param folder where the executable is kept; made when missing
   * @return the absolute path of the executable
   * @throws IOException when nothing runs on this machine, or the copy fails
   */
  public static Path extractTo(Path folder) throws IOException {
    String name = nameForThisMachine();
    Path target = folder.resolve(name).toAbsolutePath();
    if (Files.isExecutable(target)) {
      return target;
    }
    Files.createDirectories(folder);
    // Copied aside and moved in one step, so that no one ever starts a half-written file.
    Path aside = Files.createTempDirectory(folder, "extract");
    File copy = ExecutableProvider.newJarResourceProvider(aside.toFile()).get();
    Files.move(copy.toPath(), target, StandardCopyOption.ATOMIC_MOVE);
    Files.delete(aside);
    return target;
  }

  private static String nameForThisMachine() throws IOException {
    @Nullable String resource;
    try {
      resource =
          ExecutableProvider.newProvidedVersionsMap().get(OsArchitecture.detectOSandArchitecture());
    } catch (OsArchitectureNotFound | UnknownOSName unknown) {
      throw new IOException("embedded-redis does not know this machine", unknown);
    }
    if (resource == null) {
      throw new IOException(
          "embedded-redis has no Redis for %s on %s"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
    return resource.substring(resource.lastIndexOf('/') + 1);
  }

  /**
   * Prints the path of the executable.
   *
   * @param args one: the folder to keep it in
   * @throws IOException as {@link #extractTo}
   */
  public static void main(String[] args) throws IOException {
    System.out.println(extractTo(Path.of(args[0])));
  }
}
