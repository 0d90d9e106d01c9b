package dev.tidegate.dev;

import io.quarkus.bootstrap.app.QuarkusBootstrap;
import java.nio.file.Path;

/**
 * Runs the service from the class path of the tests, where none is packaged yet. Settings come as
 * system properties.
 */
public final class ServiceMain {

  private ServiceMain() {}

  /**
   * Builds the service in memory and runs it until the process ends.
   *
   * @param args one: the folder of the main classes
   */
  public static void main(String[] args) throws Exception {
    Path classes = Path.of(args[0]);
    QuarkusBootstrap.builder()
        .setApplicationRoot(classes)
        .setProjectRoot(Path.of("").toAbsolutePath())
        .setTargetDirectory(classes.getParent())
        .setMode(QuarkusBootstrap.Mode.RUN)
        .setLocalProjectDiscovery(true)
        .setOffline(true)
        .setIsolateDeployment(true)
        .build()
        .bootstrap()
        .createAugmentor()
        .createInitialRuntimeApplication()
        .run();
  }
}
