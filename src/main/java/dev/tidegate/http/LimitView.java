package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.ScheduleLabel;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** One limit as callers see it. */
@RegisterForReflection
record LimitView(
    String subject,
    String resource,
    String name,
    String meter,
    String kind,
    @Nullable String periodId,
    @Nullable Long seq,
    long version,
    @Nullable Long limit,
    long topup,
    long topupRemaining,
    long used,
    long held,
    @Nullable Long remaining,
    long overBy,
    @Nullable Long retryAfterMs,
    @Nullable Instant resetAt,
    @Nullable String resetAtLocal,
    String zone,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean opensOnUse,
    int emergencyTopupsUsed,
    int emergencyTopupsAllowed,
    int emergencyTopupsLeft,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean prorated,
    boolean exhausted) {

  private static final String PERIOD = "period";
  private static final String SESSION = "session";

  /** A limit of a level. */
  static LimitView toApi(String resource, LevelState level, LimitState limit) {
    Period period = limit.period();
    Long remaining = limit.remaining();
    return new LimitView(
        level.subject().value(),
        resource,
        limit.name(),
        limit.meter(),
        kind(limit),
        period == null ? null : periodId(period.start(), limit.label()),
        period == null ? null : limit.seq(),
        level.version(),
        limit.amount(),
        limit.topup(),
        remaining == null ? limit.topup() : Math.min(limit.topup(), remaining),
        limit.used(),
        limit.held(),
        remaining,
        overBy(limit),
        limit.waitMillis() < 0 ? null : limit.waitMillis(),
        limit.resetAt(),
        limit.resetAt() == null ? null : local(limit.resetAt(), limit.label()),
        limit.label().zone(),
        limit.kind().equals(SESSION) ? period == null : null,
        limit.emergencies(),
        limit.emergenciesAllowed(),
        Math.max(0, limit.emergenciesAllowed() - limit.emergencies()),
        limit.prorated() ? true : null,
        remaining != null && remaining == 0);
  }

  /** The kind as plans name it: a session is a period quota. */
  static String kind(LimitState limit) {
    return limit.hasPeriods() ? PERIOD : limit.kind();
  }

  private static long overBy(LimitState limit) {
    Long amount = limit.amount();
    return amount == null ? 0 : Math.max(0, limit.used() - amount - limit.topup());
  }

  /** The id of the period that starts at {@code start}: {@code 2026-10-12T00:00:00Z/week}. */
  static String periodId(Instant start, ScheduleLabel label) {
    return start + "/" + label.unit();
  }

  /** An instant in local time, with its offset. */
  static String local(Instant instant, ScheduleLabel label) {
    return local(instant, ZoneId.of(label.zone()));
  }

  static String local(Instant instant, ZoneId zone) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(instant.atZone(zone));
  }
}
