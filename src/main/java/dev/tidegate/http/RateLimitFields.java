package dev.tidegate.http;

import dev.tidegate.domain.Limit;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.SlidingBudget;
import dev.tidegate.domain.TokenBucket;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.SessionSchedule;
import dev.tidegate.service.Resolved;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.Outcome.Refused;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The header fields {@code RateLimit-Policy} and {@code RateLimit} of
 * draft-ietf-httpapi-ratelimit-headers, as structured fields (RFC 9651): a list with one string per
 * limit, the tightest first, its numbers as parameters. A parent's limit is named {@code
 * <subject>/<limit>}. Limits that never refuse are left out, and so is the partition key: the
 * subject is in the path.
 */
final class RateLimitFields {

  static final String POLICY = "RateLimit-Policy";
  static final String LIMIT = "RateLimit";

  /** As many as fit into 2 KiB, a quarter of what proxies let pass. */
  private static final int MAX_ITEMS = 16;

  /** The greatest integer of a structured field. */
  private static final long MAX_INTEGER = 999_999_999_999_999L;

  /** The unit that a policy counts if it names none. */
  private static final String DEFAULT_UNIT = "requests";

  private RateLimitFields() {}

  /**
   * A limit that can refuse.
   *
   * @param windowSeconds null = not known
   * @param resetSeconds null = none is running
   */
  private record Item(
      String name,
      String unit,
      long amount,
      long remaining,
      @Nullable Long windowSeconds,
      @Nullable Long resetSeconds,
      boolean named) {

    /** By the share that is left; exact, for amounts may be as great as 2^53. */
    static int compareShares(Item one, Item other) {
      return BigInteger.valueOf(one.remaining)
          .multiply(BigInteger.valueOf(Math.max(1, other.amount)))
          .compareTo(
              BigInteger.valueOf(other.remaining)
                  .multiply(BigInteger.valueOf(Math.max(1, one.amount))));
    }

    String policy() {
      return text(name)
          + ";q="
          + integer(amount)
          + (unit.equals(DEFAULT_UNIT) ? "" : ";qu=" + text(unit))
          + (windowSeconds == null ? "" : ";w=" + integer(windowSeconds));
    }

    String limit() {
      return text(name)
          + ";r="
          + integer(remaining)
          + (resetSeconds == null ? "" : ";t=" + integer(resetSeconds));
    }
  }

  /** The fields of a state, none when no limit can refuse. */
  static Map<String, String> of(QuotaState state, @Nullable Resolved on) {
    return fields(state, on, null);
  }

  /** The fields of a refusal: the limit that frees last comes first. */
  static Map<String, String> of(Refused refused, @Nullable Resolved on) {
    return fields(refused.state(), on, refused.named());
  }

  private static Map<String, String> fields(
      QuotaState state, @Nullable Resolved on, @Nullable Refusal named) {
    List<Item> items = new ArrayList<>();
    for (int at = 0; at < state.levels().size(); at++) {
      LevelState level = state.levels().get(at);
      String prefix = at == 0 ? "" : segment(level) + "/";
      ResolvedLevel applying = on == null ? null : on.levelOf(level.subject());
      for (int n = 0; n < level.limits().size(); n++) {
        boolean first = named != null && named.level() == at && named.limit() == n;
        LimitState limit = level.limits().get(n);
        Long amount = limit.amount();
        if (amount != null) {
          items.add(item(prefix, limit, amount, applying, state.now(), first));
        }
      }
    }
    if (items.isEmpty()) {
      return Map.of();
    }
    items.sort(
        Comparator.comparing((Item item) -> !item.named()).thenComparing(Item::compareShares));
    StringJoiner policies = new StringJoiner(", ");
    StringJoiner limits = new StringJoiner(", ");
    for (Item item : items.subList(0, Math.min(MAX_ITEMS, items.size()))) {
      policies.add(item.policy());
      limits.add(item.limit());
    }
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(POLICY, policies.toString());
    fields.put(LIMIT, limits.toString());
    return fields;
  }

  private static Item item(
      String prefix,
      LimitState limit,
      long amount,
      @Nullable ResolvedLevel on,
      Instant now,
      boolean named) {
    Instant resetAt = limit.resetAt();
    return new Item(
        prefix + limit.name(),
        limit.meter(),
        amount,
        Objects.requireNonNullElse(limit.remaining(), 0L),
        windowSeconds(limit, on == null ? null : on.limit(limit.name())),
        resetAt == null ? null : secondsUp(Duration.between(now, resetAt).toMillis()),
        named);
  }

  /** The length of the period, or the time in which all that a rate allows comes back. */
  private static @Nullable Long windowSeconds(LimitState limit, @Nullable Limit rule) {
    Period period = limit.period();
    if (period != null) {
      return secondsUp(Duration.between(period.start(), period.end()).toMillis());
    }
    return switch (rule) {
      case TokenBucket bucket ->
          BigInteger.valueOf(bucket.capacity())
              .multiply(BigInteger.valueOf(bucket.interval().toSeconds()))
              .add(BigInteger.valueOf(bucket.refill() - 1))
              .divide(BigInteger.valueOf(bucket.refill()))
              .min(BigInteger.valueOf(MAX_INTEGER))
              .longValueExact();
      case SlidingBudget budget -> budget.window().toSeconds();
      case PeriodQuota quota when quota.schedule() instanceof SessionSchedule session ->
          session.length().toSeconds();
      case PeriodQuota quota -> null;
      case null -> null;
    };
  }

  private static long secondsUp(long millis) {
    return Math.max(0, (millis + 999) / 1000);
  }

  private static String segment(LevelState level) {
    return URLEncoder.encode(level.subject().value(), StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A string of a structured field; all that we name is printable ASCII. */
  private static String text(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String integer(long value) {
    return Long.toString(Math.min(MAX_INTEGER, value));
  }
}
