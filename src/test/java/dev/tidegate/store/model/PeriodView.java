package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.Outcome.Anchor;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A period quota as it is at one instant, before anything is written.
 *
 * @param period the current period, which need not be stored yet; null = a session that is not
 *     running
 * @param seq of the current period, or of the last session
 * @param growth by how much the boundaries that were passed move the version on
 */
record PeriodView(
    ModelLevel level,
    LimitTerms terms,
    long nowMillis,
    @Nullable ModelPeriod period,
    long seq,
    long growth)
    implements LimitView {

  /** The limit at {@code nowMillis}; null when neither period or neither day contains it. */
  static @Nullable PeriodView of(ModelLevel level, LimitTerms terms, long nowMillis) {
    List<Period> days = terms.emergencies().days();
    Instant now = Instant.ofEpochMilli(nowMillis);
    if (!days.isEmpty() && days.stream().noneMatch(day -> day.contains(now))) {
      return null;
    }
    ModelPeriod latest = level.latest(terms.name());
    if (latest != null && !latest.hasEnded(nowMillis)) {
      return new PeriodView(level, terms, nowMillis, latest, latest.seq, 0);
    }
    return switch (terms) {
      case LimitTerms.Session session ->
          new PeriodView(
              level,
              session,
              nowMillis,
              null,
              latest == null ? 0 : latest.seq,
              latest == null || latest.endCounted ? 0 : 1);
      case LimitTerms.Periodic periodic -> fresh(level, periodic, latest, nowMillis);
      case LimitTerms.Bucket bucket -> throw new IllegalArgumentException("no period: " + bucket);
      case LimitTerms.Sliding sliding ->
          throw new IllegalArgumentException("no period: " + sliding);
    };
  }

  /** The anchor that the limit is to be counted from, where that is not the terms'; else null. */
  static @Nullable Anchor otherAnchor(
      ModelLevel level, LimitTerms terms, long nowMillis, int index) {
    ModelPeriod latest = level.latest(terms.name());
    if (!(terms instanceof LimitTerms.Periodic periodic)
        || (latest != null && !latest.hasEnded(nowMillis))) {
      return null;
    }
    Instant anchor = latest != null && isOf(latest, terms) ? latest.anchor : null;
    return Objects.equals(anchor, periodic.anchor())
        ? null
        : new Anchor(index, terms.name(), anchor);
  }

  /** Whether a period is of the schedule of today. */
  private static boolean isOf(ModelPeriod latest, LimitTerms terms) {
    return !latest.endCounted && latest.label.fingerprint().equals(terms.label().fingerprint());
  }

  private static @Nullable PeriodView fresh(
      ModelLevel level, LimitTerms.Periodic terms, @Nullable ModelPeriod latest, long nowMillis) {
    Instant now = Instant.ofEpochMilli(nowMillis);
    Period found =
        terms.current().contains(now)
            ? terms.current()
            : terms.next().contains(now) ? terms.next() : null;
    if (found == null) {
      return null;
    }
    long growth = 0;
    long seq = found.ordinal();
    Instant start = found.start();
    long nominal = 0;
    if (latest != null) {
      boolean sameSchedule = isOf(latest, terms);
      growth = sameSchedule ? Math.max(1, found.ordinal() - latest.period.ordinal()) : 1;
      seq = latest.seq + growth;
      if (start.isBefore(latest.period.end())) {
        nominal = sameSchedule ? 0 : found.end().toEpochMilli() - found.start().toEpochMilli();
        start = latest.period.end();
      }
    }
    Period clipped = new Period(start, found.end(), found.ordinal());
    ModelPeriod period =
        new ModelPeriod(terms.name(), terms.label(), seq, clipped, nominal, terms.amount());
    period.anchor = terms.anchor();
    return new PeriodView(level, terms, nowMillis, period, seq, growth);
  }

  @Override
  public long boundaryMillis() {
    return period == null
        ? Objects.requireNonNull(level.latest(terms.name())).period.end().toEpochMilli()
        : period.period.start().toEpochMilli();
  }

  long topup() {
    return period == null ? 0 : period.topup;
  }

  long used() {
    return period == null ? 0 : period.used;
  }

  /** What is held at {@code atMillis} if nobody acts until then. */
  long heldAt(long atMillis) {
    return period == null ? 0 : level.held(period, atMillis);
  }

  /**
   * When the current period ends, in epoch milliseconds; {@code Long.MAX_VALUE} = there is none.
   */
  long endMillis() {
    return period == null ? Long.MAX_VALUE : period.period.end().toEpochMilli();
  }

  /** The limit in force at {@code atMillis}, now or later, if nobody acts until then. */
  private @Nullable Long amountAt(long atMillis) {
    if (period != null && atMillis < endMillis()) {
      return inForce(period);
    }
    Long planned = terms.amount();
    if (period == null || planned == null) {
      return planned;
    }
    Period shortened = shortened();
    return shortened == null || atMillis >= shortened.end().toEpochMilli()
        ? planned
        : (Long)
            ModelPeriod.share(
                planned,
                period.period.end(),
                shortened.end(),
                shortened.end().toEpochMilli() - shortened.start().toEpochMilli());
  }

  /** What a period has of what went on in it: of the limit before the first change that waits. */
  private @Nullable Long inForce(ModelPeriod in) {
    for (LimitTerms.Deferral deferral : terms.deferrals()) {
      if (in.period.contains(deferral.changedAt())) {
        boolean calledFor = terms instanceof LimitTerms.Session || in.group != in.seq;
        boolean asOpened = calledFor && in.period.start().equals(deferral.changedAt());
        return asOpened ? in.amount : in.amountOf(deferral.amountBefore());
      }
    }
    return in.amountOf(terms.amount());
  }

  /** The plan's period that the current one of another schedule ends in; null = there is none. */
  private @Nullable Period shortened() {
    if (period == null
        || !(terms instanceof LimitTerms.Periodic periodic)
        || period.label.fingerprint().equals(terms.label().fingerprint())) {
      return null;
    }
    Instant end = period.period.end();
    return Stream.of(periodic.current(), periodic.next())
        .filter(planned -> planned.start().isBefore(end) && end.isBefore(planned.end()))
        .findFirst()
        .orElse(null);
  }

  /** When a full period comes after the current one and a shortened one; 0 = there is none. */
  long shortenedEndMillis() {
    Period shortened = shortened();
    return shortened == null ? 0 : shortened.end().toEpochMilli();
  }

  @Override
  public ModelUsage.Counted counted() {
    return new ModelUsage.Counted(
        terms.name(), terms.meter(), period == null ? null : (Long) period.group);
  }

  @Override
  public boolean fitsAt(long atMillis, long amount) {
    boolean ended = atMillis >= endMillis();
    long taken = ended ? 0 : used() + heldAt(atMillis);
    Long limit = amountAt(atMillis);
    if (limit == null) {
      return taken + amount <= Amounts.MAX;
    }
    long topup = ended ? 0 : topup();
    return amount == 0 || amount <= Math.max(0, whole(limit, topup) - taken);
  }

  /** The limit with what was bought, which is no more than there can be. */
  private static long whole(long limit, long topup) {
    return Math.min(Amounts.MAX, limit + topup);
  }

  @Override
  public long tooSmallUntil(long atMillis, long amount) {
    Long share = amountAt(endMillis());
    boolean during = atMillis >= endMillis() && atMillis < shortenedEndMillis();
    return during && share != null && amount > share ? shortenedEndMillis() : atMillis;
  }

  @Override
  public boolean canEverFit(long amount) {
    Long planned = terms.amount();
    Long current = amountAt(nowMillis);
    return planned == null
        || current == null
        || amount <= planned
        || amount <= Math.max(0, whole(current, topup()) - used());
  }

  @Override
  public long fitsUntil(long amount) {
    Long planned = terms.amount();
    return planned != null && amount > planned ? endMillis() : Long.MAX_VALUE;
  }

  @Override
  public LongStream openings(long amount) {
    return LongStream.of(endMillis(), shortenedEndMillis())
        .filter(end -> end > nowMillis && end != Long.MAX_VALUE);
  }

  @Override
  public LimitState state(long waitMillis) {
    return new LimitState(
        terms instanceof LimitTerms.Session ? "session" : "period",
        terms.name(),
        terms.meter(),
        amountAt(nowMillis),
        period == null ? terms.label() : period.label,
        seq,
        period == null ? null : period.shown(),
        period == null ? null : period.period.end(),
        used(),
        heldAt(nowMillis),
        topup(),
        level.emergenciesUntil(terms, nowMillis).size(),
        terms.emergencies().max(),
        period != null && period.nominalMillis > 0,
        waitMillis);
  }

  /** The running period, stored from now on; a session that is not running is opened. */
  @Override
  public ModelPeriod opened() {
    ModelPeriod opened = period;
    if (opened == null) {
      Instant now = Instant.ofEpochMilli(nowMillis);
      Instant end = now.plus(((LimitTerms.Session) terms).length());
      Period session = new Period(now, end, seq + 1);
      opened = new ModelPeriod(terms.name(), terms.label(), seq + 1, session, 0, terms.amount());
    }
    opened.amount = inForce(opened);
    level.add(opened);
    return opened;
  }

  @Override
  public void storeLapse(ModelReservation lapsed) {
    if (period != null && lapsed.holds.stream().anyMatch(hold -> hold.account() == period)) {
      period.amount = inForce(period);
    }
  }

  @Override
  public long grantable(long amount) {
    return amount;
  }

  @Override
  public void topUp(long granted) {
    Objects.requireNonNull(level.latest(terms.name())).topup += granted;
  }

  @Override
  public boolean overflowsWith(long amount) {
    Long limit = amountAt(nowMillis);
    long counted = limit == null ? used() + heldAt(nowMillis) : limit;
    return counted + topup() + amount > Amounts.MAX;
  }

  @Override
  public boolean isResettable() {
    return period != null;
  }

  @Override
  public @Nullable ModelPeriod reset() {
    ModelPeriod ended = period;
    if (ended == null) {
      return null;
    }
    Instant end = ended.period.end();
    ended.cutAt(nowMillis);
    if (terms instanceof LimitTerms.Session) {
      ended.endCounted = true;
      level.emergencies.stream().filter(this::isOurs).forEach(e -> e.ofPeriod = false);
      return ended;
    }
    Period rest = new Period(ended.period.start(), end, ended.period.ordinal());
    ModelPeriod next =
        new ModelPeriod(
            terms.name(), ended.label, seq + 1, rest, ended.nominalMillis, ended.amount);
    next.anchor = ended.anchor;
    next.group = ended.group;
    level.add(next);
    return ended;
  }

  /** Starts the stored limit anew up to the end of {@code around}; gives the period that ends. */
  ModelPeriod restart(Period around, Instant anchor) {
    ModelPeriod ended = Objects.requireNonNull(period);
    long endMillis = endMillis();
    ended.cutAt(nowMillis);
    Period whole = new Period(Instant.ofEpochMilli(nowMillis), around.end(), around.ordinal());
    ModelPeriod next =
        new ModelPeriod(terms.name(), terms.label(), seq + 1, whole, 0, terms.amount());
    next.anchor = anchor;
    next.group = ended.group;
    level.add(next);
    level.emergencies.stream()
        .filter(e -> isOurs(e) && e.untilMillis == endMillis)
        .forEach(e -> e.untilMillis = around.end().toEpochMilli());
    return ended;
  }

  private boolean isOurs(ModelEmergency emergency) {
    return emergency.ofPeriod && emergency.limit.equals(terms.name());
  }

  @Override
  public void rolledOver() {
    ModelPeriod latest = level.latest(terms.name());
    if (period != null) {
      period.amount = inForce(period);
      level.add(period);
    } else if (latest != null) {
      latest.endCounted = true;
    }
  }
}
