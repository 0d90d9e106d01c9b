package dev.tidegate.dev;

import io.quarkus.bootstrap.app.QuarkusBootstrap;
import java.nio.file.Path;

/** Packages the service from the class path of the tests, which run before it is packaged. */
public final class ServicePackage {

  private ServicePackage() {}

  /**
   * Packages the service and ends.
   *
   * @param args two: the folder of the main classes, and the one to package into
   */
  public static void main(String[] args) throws Exception {
    Path classes = Path.of(args[0]).toAbsolutePath();
    Path target = Path.of(args[1]).toAbsolutePath();
    QuarkusBootstrap.builder()
        .setApplicationRoot(classes)
        .setProjectRoot(Path.of("").toAbsolutePath())
        .setTargetDirectory(target)
        .setMode(QuarkusBootstrap.Mode.PROD)
        .setLocalProjectDiscovery(true)
        .setIsolateDeployment(true)
        .setBaseName("service")
        .build()
        .bootstrap()
        .createAugmentor()
        .createProductionApplication();
    System.exit(0);
  }
}
