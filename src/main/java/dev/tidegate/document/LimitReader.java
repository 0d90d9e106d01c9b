package dev.tidegate.document;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.LimitOverride;
import dev.tidegate.domain.LimitOverride.AmountOverride;
import dev.tidegate.domain.LimitOverride.Timing;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.PeriodQuota.EmergencyRule;
import dev.tidegate.domain.PeriodQuota.RestartRule;
import java.util.Collection;
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

  private static final String PERIOD = "period";

  private static final Set<String> LATER_KINDS = Set.of("token_bucket", "sliding");

  private static final Map<String, Boolean> PER_DAY = Words.inOrder("period", false, "day", true);

  private static final Map<String, Boolean> ALLOW = Words.inOrder("deny", false, "allow", true);

  private LimitReader() {}

  /**
   * A limit of a plan.
   *
   * @param meters those that the resource declares
   * @param names those of the limits before this one, which is added
   */
  static @Nullable PeriodQuota limit(Value value, Collection<String> meters, Set<String> names) {
    return value.object(
        fields -> {
          String name = newName(fields.required("name"), names);
          return enforced(fields) ? periodQuota(fields, name, meters) : null;
        });
  }

  private static @Nullable String newName(@Nullable Value value, Set<String> names) {
    String name = value == null ? null : value.name();
    if (value != null && name != null && !names.add(name)) {
      value.fault("is the name of another limit of the resource");
    }
    return name;
  }

  /** Whether this version can keep a limit of that kind; the rest of any other is not looked at. */
  private static boolean enforced(Fields fields) {
    Value kind = fields.required("kind");
    if (kind == null) {
      return true;
    }
    if (kind.node().isTextual() && LATER_KINDS.contains(kind.node().textValue())) {
      kind.fault(
          "is %s, which is not available in this version; a limit that would not be enforced is"
                  .formatted(kind.node().textValue())
              + " refused");
      fields.ignoreRest();
      return false;
    }
    if (kind.oneOf(Map.of(PERIOD, PERIOD)) == null) {
      fields.ignoreRest();
      return false;
    }
    return true;
  }

  private static @Nullable PeriodQuota periodQuota(
      Fields fields, @Nullable String name, Collection<String> meters) {
    String meter = declaredMeter(fields.required("meter"), meters);
    Value limit = fields.required("limit");
    AmountOverride amount = limit == null ? null : amount(limit);
    Value schedule = fields.required("schedule");
    Timing timing = schedule == null ? null : ScheduleReader.read(schedule);
    LimitOverride options = options(fields, amount, timing);
    if (name == null || meter == null || amount == null || timing == null) {
      return null;
    }
    return options.appliedTo(
        new PeriodQuota(
            name, meter, null, timing.schedule(), timing.zone(), PeriodQuota.Options.NONE));
  }

  private static @Nullable String declaredMeter(@Nullable Value value, Collection<String> meters) {
    String meter = value == null ? null : value.name();
    if (value != null && meter != null) {
      ResourceReader.refuseUndeclared(meter, value, meters);
    }
    return meter;
  }

  /** The fields of a limit that a subject overrides. */
  static @Nullable LimitOverride override(Value value) {
    return value.object(
        fields -> {
          for (String fixed : List.of("name", "kind", "meter")) {
            fields.refuse(fixed, "cannot be overridden");
          }
          Value limit = fields.optional("limit");
          Value schedule = fields.optional("schedule");
          return options(
              fields,
              limit == null ? null : amount(limit),
              schedule == null ? null : ScheduleReader.read(schedule));
        });
  }

  private static @Nullable AmountOverride amount(Value limit) {
    if (limit.isNull()) {
      return new AmountOverride(null);
    }
    Long amount = limit.integer(0, Amounts.MAX);
    return amount == null ? null : new AmountOverride(amount);
  }

  private static LimitOverride options(
      Fields fields, @Nullable AmountOverride amount, @Nullable Timing timing) {
    return new LimitOverride(
        amount,
        timing,
        fields.object("emergency", LimitReader::emergency),
        fields.object("restart", LimitReader::restart),
        warnAtPercent(fields.optional("warn_at_percent")),
        fields.number("return_spread_seconds", 0, MAX_SPREAD_SECONDS),
        fields.oneOf("on_store_failure", ALLOW),
        fields.bool("share_amounts_with_members"),
        fields.number("reclaim_unused_at_percent", 1, 100));
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
