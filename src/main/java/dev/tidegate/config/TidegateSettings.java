package dev.tidegate.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every setting of the service itself, under {@code tidegate.}; times carry their unit in the name.
 */
@ConfigMapping(prefix = "tidegate")
public interface TidegateSettings {

  /** How Redis is used. */
  RedisSettings redis();

  /** Where plans come from. */
  PlansSettings plans();

  /** The static API keys, by a name that is no secret. */
  Map<String, ApiKey> apiKeys();

  /**
   * The zone of subjects that name none: a region such as {@code Europe/Berlin}, or {@code UTC}.
   */
  @WithDefault("UTC")
  String zone();

  /** The test clock. */
  TestClockSettings testClock();

  /** The table of the next period boundaries. */
  BoundariesSettings boundaries();

  /** How many closed periods of each limit are kept, 1 to 10,000. */
  @WithDefault("12")
  int closedPeriodsKept();

  /** The audit trail of grants. */
  AuditSettings audit();

  /** The audit trail of grants. */
  interface AuditSettings {

    /** How long an event is kept, in days, 1 to 36,500. */
    @WithDefault("400")
    int keptDays();

    /** How many events of each subject are kept, the newest of them, 1 to 1,000,000. */
    @WithDefault("10000")
    int maxEvents();
  }

  /** How Redis is used. */
  interface RedisSettings {

    /** What every key starts with. */
    @WithDefault("tidegate")
    String keyPrefix();

    /** How long an answer of Redis may take, in milliseconds. */
    @WithDefault("100")
    int deadlineMillis();
  }

  /** Where plans come from. */
  interface PlansSettings {

    /** A YAML file with plans; it is imported when its revision is greater than the last one's. */
    Optional<String> file();

    /** The plan of subjects that name none, where no file says so. */
    Optional<String> defaultPlan();
  }

  /** A static API key. */
  interface ApiKey {

    /** The SHA-256 of the key, 64 hexadecimal digits. */
    String sha256();

    /**
     * Of {@code meter}, {@code viewer}, {@code operator} and {@code admin}; the last has them all.
     */
    Set<String> roles();

    /** The only subject that the key is for. */
    Optional<String> subject();
  }

  /** The test clock. */
  interface TestClockSettings {

    /** Whether it can be set; refused in the prod profile. */
    @WithDefault("false")
    boolean enabled();
  }

  /** The table of the next period boundaries. */
  interface BoundariesSettings {

    /** How many pairs of a schedule and a zone it holds, 1 or more. */
    @WithDefault("4096")
    int maxRows();
  }
}
