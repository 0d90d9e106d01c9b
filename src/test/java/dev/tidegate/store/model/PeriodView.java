package dev.tidegate.store.model;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.QuotaState.LimitState;
import java.time.Instant;
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

  /** The limit at {@code nowMillis}; null when neither period of the terms contains it. */
  static @Nullable PeriodView of(ModelLevel level, LimitTerms terms, long nowMillis) {
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
      boolean sameSchedule =
          !latest.endCounted && latest.label.fingerprint().equals(terms.label().fingerprint());
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
    return new PeriodView(level, terms, nowMillis, period, seq, growth);
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
        return in.amountOf(deferral.amountBefore());
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
        terms.name(), terms.meter(), period == null ? null : (Long) period.seq);
  }

  @Override
  public boolean fitsAt(long atMillis, long amount) {
    boolean ended = atMillis >= endMillis();
    long taken = ended ? 0 : used() + heldAt(atMillis);
    Long limit = amountAt(atMillis);
    if (limit == null) {
      return taken + amount <= Amounts.MAX;
    }
    return amount == 0 || amount <= Math.max(0, limit - taken);
  }

  @Override
  public boolean canEverFit(long amount) {
    Long planned = terms.amount();
    Long current = amountAt(nowMillis);
    return planned == null
        || current == null
        || amount <= planned
        || amount <= Math.max(0, current - used());
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
        0,
        0,
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
