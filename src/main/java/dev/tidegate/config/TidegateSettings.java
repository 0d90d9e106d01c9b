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

  /**
   * What outlives a Redis server. Each but the first is enough with an append-only file as well.
   */
  enum Persistence {

    /** Its append-only file. */
    APPEND_ONLY_FILE,

    /** Replicas, of which one takes over. */
    REPLICAS,

    /** Snapshots that it, or whoever runs it, takes. */
    SNAPSHOTS,

    /** Nothing: a server that is lost makes every quota full again. */
    NONE
  }

  /** Where plans come from. */
  PlansSettings plans();

  /** The static API keys, by a name that is no secret. */
  Map<String, ApiKey> apiKeys();

  /** A file with more keys, read again whenever it has changed. */
  Optional<String> apiKeysFile();

  /** What the claims of tokens mean. */
  JwtSettings jwt();

  /**
   * The zone of subjects that name none: a region such as {@code Europe/Berlin}, or {@code UTC}.
   */
  @WithDefault("UTC")
  String zone();

  /** The time-zone data that boundaries are computed with. */
  TimeZoneDataSettings tzdata();

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

    /**
     * What every key starts with: 1 to 64 letters, digits, {@code .}, {@code _}, {@code :} and
     * {@code -}.
     */
    @WithDefault("tidegate")
    String keyPrefix();

    /** How long an answer of Redis may take, in milliseconds, 1 to 60,000. */
    @WithDefault("100")
    int deadlineMillis();

    /**
     * Whether the service is ready only while Redis answers. Without it, a Redis that goes away
     * does not take every pod out at once.
     */
    @WithDefault("false")
    boolean readiness();

    /** What Redis is expected to keep what is stored by; with less, it is warned of. */
    @WithDefault("append-only-file")
    Persistence persistence();

    /** How many replicas must have a grant before it is answered, 0 to 100. */
    @WithDefault("0")
    int grantsWaitReplicas();

    /**
     * Whether a grant must be on disk before it is answered: in the append-only file of the server,
     * and in those of the replicas that are waited for. Needs Redis 7.2.
     */
    @WithDefault("false")
    boolean grantsWaitAof();

    /** How long an answer waits for that, in milliseconds, 1 to 60,000. */
    @WithDefault("1000")
    int grantsWaitMillis();
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

  /**
   * What the claims of tokens mean. A claim is named, or a path of names with {@code /} between.
   */
  interface JwtSettings {

    /** The claim with the roles: a list, or a text with spaces between them. */
    @WithDefault("groups")
    String rolesClaim();

    /** Our roles by the issuer's; when there are any, the issuer's other roles mean nothing. */
    Map<String, Set<String>> roles();

    /** The claim with the only subject that the token is for; without it, it is for any. */
    @WithDefault("tidegate_subject")
    String subjectClaim();

    /** The claim that names the caller in audit trails. */
    @WithDefault("sub")
    String nameClaim();
  }

  /** The time-zone data that boundaries are computed with. */
  interface TimeZoneDataSettings {

    /** The oldest version that the service starts with, such as {@code 2026a}; without it, any. */
    Optional<String> oldest();
  }

  /** The test clock. */
  interface TestClockSettings {

    /** Whether it can be set; refused in the prod profile. */
    @WithDefault("false")
    boolean enabled();
  }

  /** The table of the next period boundaries. */
  interface BoundariesSettings {

    /** How many pairs of a schedule and a zone it holds, 1 to 1,000,000. */
    @WithDefault("4096")
    int maxRows();
  }
}
