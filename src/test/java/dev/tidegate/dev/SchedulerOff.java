package dev.tidegate.dev;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.List;
import java.util.Map;

/** The service without its timers, on keys of its own. */
public final class SchedulerOff implements QuarkusTestProfile {

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "quarkus.scheduler.enabled",
        "false",
        "tidegate.redis.key-prefix",
        "scheduler-off-" + ProcessHandle.current().pid());
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(new TestResourceEntry(EmbeddedRedisResource.class));
  }
}
