package dev.tidegate.dev;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/**
 * Something that a service of a few tests needs, whose settings end with it.
 *
 * <p>Quarkus keeps the settings of a resource in the system properties of the tests, and hands
 * those to every packaged service that it starts afterwards.
 */
public abstract class OwnSettings implements QuarkusTestResourceLifecycleManager {

  private Map<String, String> settings = Map.of();

  /** Starts it, and tells the service how to reach it. */
  protected abstract Map<String, String> begin();

  /** Ends it, as far as it was started. */
  protected abstract void end();

  @Override
  public final Map<String, String> start() {
    settings = begin();
    return settings;
  }

  @Override
  public final void stop() {
    end();
    settings.keySet().forEach(System::clearProperty);
  }
}
