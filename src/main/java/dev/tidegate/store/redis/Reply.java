package dev.tidegate.store.redis;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.CategoryUse;
import dev.tidegate.domain.PeriodUse;
import dev.tidegate.domain.RecentUse;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.ClosedPeriod;
import dev.tidegate.store.Insight;
import dev.tidegate.store.Outcome;
import dev.tidegate.store.Outcome.Reason;
import dev.tidegate.store.Outcome.Refusal;
import dev.tidegate.store.QuotaState;
import dev.tidegate.store.QuotaState.LevelState;
import dev.tidegate.store.QuotaState.LimitState;
import dev.tidegate.store.ScheduleLabel;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A script's flat reply, read from front to back. A reply of another shape is an error, never a
 * default.
 */
final class Reply {

  private final Script script;
  private final @Nullable Response response;
  private final Status status;
  private final Instant now;
  private final long swept;
  private int at;

  Reply(Script script, @Nullable Response response) {
    this.script = script;
    this.response = response;
    this.status = readStatus();
    this.now = instant();
    this.swept = number();
  }

  Status status() {
    return status;
  }

  /** The clock that decided. */
  Instant now() {
    return now;
  }

  /** How many lapsed leases the call came upon. */
  long swept() {
    return swept;
  }

  /** The status that a first reply had. */
  Status nextStatus() {
    return readStatus();
  }

  private Status readStatus() {
    String word = text();
    try {
      return Status.valueOf(word);
    } catch (IllegalArgumentException unknown) {
      throw malformed("the status '" + word + "'");
    }
  }

  StoreException malformed(String what) {
    return new StoreException(Kind.FAULT, script.file() + " answered with " + what);
  }

  private Response element() {
    if (response == null || response.type() != ResponseType.MULTI || at >= response.size()) {
      throw malformed("too few elements");
    }
    Response element = response.get(at++);
    if (element == null) {
      throw malformed("nothing at element " + at);
    }
    return element;
  }

  String text() {
    return element().toString();
  }

  long number() {
    try {
      return element().toLong();
    } catch (NumberFormatException | UnsupportedOperationException notNumber) {
      throw malformed("no number at element " + at);
    }
  }

  int count() {
    long count = number();
    if (count < 0 || count > 1_000_000) {
      throw malformed("a count of " + count);
    }
    return (int) count;
  }

  boolean flag() {
    return number() == 1;
  }

  /** An instant, or null for 0. */
  @Nullable Instant optionalInstant() {
    long millis = number();
    return millis == 0 ? null : Instant.ofEpochMilli(millis);
  }

  Instant instant() {
    return Instant.ofEpochMilli(number());
  }

  /** A text, or null for the empty one. */
  @Nullable String optionalText() {
    String text = text();
    return text.isEmpty() ? null : text;
  }

  @Nullable Long optionalAmount() {
    String text = text();
    try {
      return text.isEmpty() ? null : Long.valueOf(text);
    } catch (NumberFormatException notNumber) {
      throw malformed("no amount at element " + at);
    }
  }

  Amounts amounts() {
    int count = count();
    if (count == 0) {
      return Amounts.NONE;
    }
    TreeMap<String, Long> amounts = new TreeMap<>();
    for (int n = 0; n < count; n++) {
      String meter = text();
      amounts.put(meter, number());
    }
    return new Amounts(amounts);
  }

  /** The state of every level; see {@code lib/reply.lua}. */
  QuotaState state() {
    Instant at = instant();
    List<LevelState> levels = new ArrayList<>();
    int count = count();
    for (int l = 0; l < count; l++) {
      SubjectId subject = new SubjectId(text());
      long version = number();
      List<LimitState> limits = new ArrayList<>();
      int limitCount = count();
      for (int n = 0; n < limitCount; n++) {
        limits.add(limit());
      }
      levels.add(new LevelState(subject, version, limits));
    }
    return new QuotaState(at, levels);
  }

  private LimitState limit() {
    String kind = text();
    String name = text();
    String meter = text();
    Long amount = optionalAmount();
    ScheduleLabel label = ScheduleLabel.parse(text());
    long seq = number();
    long starts = number();
    long ends = number();
    boolean running = ends != 0;
    Period period = running && LimitState.hasPeriods(kind) ? period(starts, ends, seq) : null;
    Instant resetAt = running ? Instant.ofEpochMilli(ends) : null;
    return new LimitState(
        kind, name, meter, amount, label, seq, period, resetAt, number(), number(), number(),
        count(), count(), flag(), number());
  }

  /** How every level of a state uses its quota; see {@code lib/usage.lua}. */
  List<Insight> insights(QuotaState state) {
    List<Insight> insights = new ArrayList<>();
    for (LevelState level : state.levels()) {
      Map<String, RecentUse> byMeter = new HashMap<>();
      int meters = count();
      for (int n = 0; n < meters; n++) {
        String meter = text();
        long began = number();
        BigDecimal lastHour = recent(state.now(), Duration.ofMinutes(1));
        BigDecimal lastDay = recent(state.now(), Duration.ofHours(1));
        if (began != 0) {
          Duration age = Duration.between(Instant.ofEpochMilli(began), state.now());
          byMeter.put(meter, new RecentUse(age, lastHour, lastDay));
        }
      }
      Map<String, PeriodUse> byLimit = new HashMap<>();
      for (LimitState limit : level.limits()) {
        SortedMap<String, CategoryUse> uses = uses();
        if (!uses.isEmpty()) {
          byLimit.put(limit.name(), new PeriodUse(uses));
        }
      }
      insights.add(new Insight(byMeter, byLimit));
    }
    return insights;
  }

  /**
   * A sum of steps, and of the one before them the share that is not longer ago than the window,
   * taken as used evenly.
   */
  private BigDecimal recent(Instant now, Duration step) {
    BigDecimal within = BigDecimal.valueOf(number());
    BigDecimal before = BigDecimal.valueOf(number());
    long left = step.toMillis() - Math.floorMod(now.toEpochMilli(), step.toMillis());
    BigDecimal share =
        before
            .multiply(BigDecimal.valueOf(left))
            .divide(
                BigDecimal.valueOf(step.toMillis()), CategoryUse.DECIMALS, RoundingMode.HALF_UP);
    return within.add(share).min(BigDecimal.valueOf(Amounts.MAX));
  }

  private SortedMap<String, CategoryUse> uses() {
    SortedMap<String, CategoryUse> uses = new TreeMap<>();
    int count = count();
    for (int n = 0; n < count; n++) {
      String category = text();
      long units = number();
      BigDecimal whole = BigDecimal.valueOf(number());
      BigDecimal millionths = BigDecimal.valueOf(number(), CategoryUse.DECIMALS);
      uses.put(category, new CategoryUse(units, whole.add(millionths)));
    }
    return uses;
  }

  private static Period period(long starts, long ends, long seq) {
    return new Period(Instant.ofEpochMilli(starts), Instant.ofEpochMilli(ends), seq);
  }

  /** The periods that have ended; see {@code read_periods.lua}. */
  private List<ClosedPeriod> closedPeriods() {
    List<ClosedPeriod> closed = new ArrayList<>();
    int count = count();
    for (int n = 0; n < count; n++) {
      closed.add(closedPeriod(text()));
    }
    return closed;
  }

  /** A period of {@code limit} that has ended; see {@code lib/reply.lua}. */
  ClosedPeriod closedPeriod(String limit) {
    ScheduleLabel label = ScheduleLabel.parse(text());
    long seq = number();
    Period period = period(number(), number(), seq);
    return new ClosedPeriod(
        limit,
        label,
        seq,
        period,
        optionalAmount(),
        number(),
        number(),
        number(),
        optionalInstant());
  }

  private List<Outcome.Anchor> anchors() {
    List<Outcome.Anchor> anchors = new ArrayList<>();
    int count = count();
    for (int n = 0; n < count; n++) {
      anchors.add(new Outcome.Anchor(count() - 1, text(), optionalInstant()));
    }
    return anchors;
  }

  /** The periods of a level; see {@code read_periods.lua}. */
  Outcome.Periods periods() {
    QuotaState state = state();
    List<ClosedPeriod> closed = closedPeriods();
    Map<String, Instant> anchors = new HashMap<>();
    for (LimitState limit : state.levels().getFirst().limits()) {
      Instant anchor = optionalInstant();
      if (anchor != null) {
        anchors.put(limit.name(), anchor);
      }
    }
    return new Outcome.Periods(state, closed, anchors);
  }

  /** A refusal; see {@code lib/admission.lua}. */
  Outcome.Refused refused() {
    long retryAfterMillis = number();
    boolean estimated = flag();
    List<Refusal> refusals = new ArrayList<>();
    int count = count();
    for (int n = 0; n < count; n++) {
      Reason reason = Reason.valueOf(text());
      refusals.add(new Refusal(reason, count() - 1, count() - 1, number(), number()));
    }
    return new Outcome.Refused(
        Reason.valueOf(status.name()), retryAfterMillis, estimated, refusals, state());
  }

  /** Any status that says the call was decided with something that has changed since, or null. */
  Outcome.@Nullable Stale stale() {
    return switch (status) {
      case STALE_PERIOD -> new Outcome.StalePeriod(now);
      case STALE_ANCHOR -> new Outcome.StaleAnchors(now, anchors());
      case STALE_CONFIG -> new Outcome.StaleConfiguration(now, number());
      case STALE_LEVELS -> new Outcome.StaleLevels(now, text());
      default -> null;
    };
  }
}
