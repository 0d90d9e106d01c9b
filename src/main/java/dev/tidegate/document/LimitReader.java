package dev.tidegate.document;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.LimitOptions;
import dev.tidegate.domain.LimitOverride;
import dev.tidegate.domain.LimitOverride.AmountOverride;
import dev.tidegate.domain.LimitOverride.Drip;
import dev.tidegate.domain.LimitOverride.Grants;
import dev.tidegate.domain.LimitOverride.Options;
import dev.tidegate.domain.LimitOverride.Timing;
import dev.tidegate.domain.LimitOverride.Window;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.PeriodQuota.EmergencyRule;
import dev.tidegate.domain.PeriodQuota.GrantRules;
import dev.tidegate.domain.PeriodQuota.RestartRule;
import dev.tidegate.domain.SlidingBudget;
import dev.tidegate.domain.TokenBucket;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the limits of a plan, and the fields of a limit that a subject overrides. */
final class LimitReader {

  /** The greatest number of emergency top-ups in a period or a day, and of restarts. */
  static final int MAX_TIMES = 10_000;

  /** The longest time that restarts are counted over, in days. */
  static final int MAX_RESTART_DAYS = 366;

  /** The longest time that advised retries are spread over, in seconds. */
  static final int MAX_SPREAD_SECONDS = 86_400;

  /** The longest interval of a token bucket, in seconds. */
  static final int MAX_INTERVAL_SECONDS = (int) TokenBucket.LONGEST_INTERVAL.toSeconds();

  /** The longest window of a sliding budget, in seconds. */
  static final int MAX_WINDOW_SECONDS = (int) SlidingBudget.LONGEST_WINDOW.toSeconds();

  private static final Map<String, Kind> KINDS = kinds();

  private static final Map<String, Boolean> PER_DAY = Words.inOrder("period", false, "day", true);

  private static final Map<String, Boolean> ALLOW = Words.inOrder("deny", false, "allow", true);

  private LimitReader() {}

  /** Reads the fields of a limit that its kind has. */
  private interface Kind {

    @Nullable Limit read(Fields fields, String name, String meter);
  }

  private static Map<String, Kind> kinds() {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    kinds.put("period", LimitReader::periodQuota);
    kinds.put("token_bucket", LimitReader::tokenBucket);
    kinds.put("sliding", LimitReader::slidingBudget);
    return kinds;
  }

  /**
   * A limit of a plan.
   *
   * @param meters those that the resource declares
   * @param names those of the limits before this one, which is added
   */
  static @Nullable Limit limit(Value value, Collection<String> meters, Set<String> names) {
    return value.object(
        fields -> {
          String name = newName(fields.required("name"), names);
          Kind kind = fields.requiredOneOf("kind", KINDS);
          String meter = declaredMeter(fields.required("meter"), meters);
          if (kind == null) {
            fields.ignoreRest();
            return null;
          }
          return kind.read(fields, name == null ? "-" : name, meter == null ? "-" : meter);
        });
  }

  private static @Nullable String newName(@Nullable Value value, Set<String> names) {
    String name = value == null ? null : value.name();
    if (value != null && name != null && !names.add(name)) {
      value.fault("is the name of another limit of the resource");
    }
    return name;
  }

  private static @Nullable String declaredMeter(@Nullable Value value, Collection<String> meters) {
    String meter = value == null ? null : value.name();
    if (value != null && meter != null) {
      ResourceReader.refuseUndeclared(meter, value, meters);
    }
    return meter;
  }

  private static @Nullable Limit periodQuota(Fields fields, String name, String meter) {
    AmountOverride amount = amount(fields.required("limit"));
    Timing timing = timing(fields.required("schedule"));
    GrantRules grants = grants(fields).appliedTo(GrantRules.NONE);
    LimitOptions options = options(fields).appliedTo(LimitOptions.NONE);
    return amount == null || timing == null
        ? null
        : new PeriodQuota(
            name, meter, amount.amount(), timing.schedule(), timing.zone(), grants, options);
  }

  private static Limit tokenBucket(Fields fields, String name, String meter) {
    long capacity = fields.requiredInteger("capacity", 0, Amounts.MAX);
    long refill = fields.requiredInteger("refill", 1, Amounts.MAX);
    int seconds = fields.requiredNumber("interval_seconds", 1, MAX_INTERVAL_SECONDS);
    LimitOptions options = options(fields).appliedTo(LimitOptions.NONE);
    return new TokenBucket(name, meter, capacity, refill, Duration.ofSeconds(seconds), options);
  }

  private static Limit slidingBudget(Fields fields, String name, String meter) {
    AmountOverride amount = amount(fields.required("limit"));
    int seconds = fields.requiredNumber("window_seconds", 1, MAX_WINDOW_SECONDS);
    int buckets = fields.number("buckets", 1, SlidingBudget.MAX_BUCKETS, 1);
    LimitOptions options = options(fields).appliedTo(LimitOptions.NONE);
    return new SlidingBudget(
        name,
        meter,
        amount == null ? null : amount.amount(),
        Duration.ofSeconds(seconds),
        buckets,
        options);
  }

  /** The fields of a limit that a subject overrides, of whatever kind the limit is. */
  static @Nullable LimitOverride override(Value value) {
    return value.object(
        fields -> {
          for (String fixed : List.of("name", "kind", "meter")) {
            fields.refuse(fixed, "cannot be overridden");
          }
          return new LimitOverride(
              amount(fields.optional("limit")),
              timing(fields.optional("schedule")),
              drip(fields),
              window(fields),
              grants(fields),
              options(fields));
        });
  }

  private static @Nullable AmountOverride amount(@Nullable Value limit) {
    if (limit == null) {
      return null;
    }
    Long amount = limit.isNull() ? null : limit.integer(0, Amounts.MAX);
    return new AmountOverride(amount);
  }

  private static @Nullable Timing timing(@Nullable Value schedule) {
    return schedule == null ? null : ScheduleReader.read(schedule);
  }

  private static Drip drip(Fields fields) {
    return new Drip(
        fields.integer("capacity", 0, Amounts.MAX),
        fields.integer("refill", 1, Amounts.MAX),
        seconds(fields, "interval_seconds", MAX_INTERVAL_SECONDS));
  }

  private static Window window(Fields fields) {
    return new Window(
        seconds(fields, "window_seconds", MAX_WINDOW_SECONDS),
        fields.number("buckets", 1, SlidingBudget.MAX_BUCKETS));
  }

  private static @Nullable Duration seconds(Fields fields, String name, int max) {
    Integer seconds = fields.number(name, 1, max);
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  private static Grants grants(Fields fields) {
    return new Grants(
        fields.object("emergency", LimitReader::emergency),
        fields.object("restart", LimitReader::restart),
        fields.number("reclaim_unused_at_percent", 1, 100));
  }

  private static Options options(Fields fields) {
    return new Options(
        warnAtPercent(fields.optional("warn_at_percent")),
        fields.number("return_spread_seconds", 0, MAX_SPREAD_SECONDS),
        fields.oneOf("on_store_failure", ALLOW),
        fields.bool("share_amounts_with_members"));
  }

  private static EmergencyRule emergency(Fields fields) {
    long amount = fields.requiredInteger("amount", 1, Amounts.MAX);
    int max = fields.requiredNumber("max", 1, MAX_TIMES);
    Boolean perDay = fields.oneOf("per", PER_DAY);
    boolean selfService = fields.bool("self_service", false);
    return new EmergencyRule(amount, max, perDay != null && perDay, selfService);
  }

  private static RestartRule restart(Fields fields) {
    int max = fields.requiredNumber("max", 1, MAX_TIMES);
    return new RestartRule(max, fields.requiredNumber("per_days", 1, MAX_RESTART_DAYS));
  }

  private static @Nullable List<Integer> warnAtPercent(@Nullable Value value) {
    if (value == null) {
      return null;
    }
    List<Integer> percents =
        value.list(
            0,
            100,
            item -> {
              Long percent = item.integer(1, 100);
              return percent == null ? null : percent.intValue();
            });
    if (percents != null && !Ascending.strictly(percents)) {
      value.fault("must ascend, each number only once");
    }
    return percents;
  }
}
