package dev.tidegate.store;

import dev.tidegate.domain.calendar.Period;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one limit means for one call: all that needs a calendar or a plan is decided already. */
public sealed interface LimitTerms {

  /** The limit's name, unique in its resource. */
  String name();

  /** The meter that it counts. */
  String meter();

  /** Units until it refuses; null counts but never refuses. */
  @Nullable Long amount();

  /**
   * Changes of the amount that count from the end of the period they came in, the earliest first.
   */
  default List<Deferral> deferrals() {
    return List.of();
  }

  /**
   * A change that waits.
   *
   * @param amountBefore what goes on until the period ends that {@code changedAt} is in; null never
   *     refuses
   */
  record Deferral(Instant changedAt, @Nullable Long amountBefore) {}

  /** How many emergency top-ups there may be; a rate has none. */
  default Emergencies emergencies() {
    return Emergencies.NONE;
  }

  /**
   * The cap on emergency top-ups.
   *
   * @param max how many there may be, from 0
   * @param days the natural days that they are counted by, the one that contains the caller's idea
   *     of now and the one after it; none = they are counted by the period
   */
  record Emergencies(int max, List<Period> days) {

    /** There may be none. */
    public static final Emergencies NONE = new Emergencies(0, List.of());

    public Emergencies {
      days = List.copyOf(days);
    }
  }

  /** The schedule that the periods come from; of a limit without periods its kind and zone. */
  ScheduleLabel label();

  /**
   * A limit whose periods follow from the clock.
   *
   * @param current the period that contains the caller's idea of now
   * @param next the period after it
   * @param anchor the restart that the periods are counted from; null = as the plan says
   */
  record Periodic(
      String name,
      String meter,
      @Nullable Long amount,
      ScheduleLabel label,
      Period current,
      Period next,
      List<Deferral> deferrals,
      Emergencies emergencies,
      @Nullable Instant anchor)
      implements LimitTerms {

    public Periodic {
      deferrals = List.copyOf(deferrals);
    }
  }

  /**
   * A limit whose period is opened by use.
   *
   * @param length how long a session lasts
   */
  record Session(
      String name,
      String meter,
      @Nullable Long amount,
      ScheduleLabel label,
      Duration length,
      List<Deferral> deferrals,
      Emergencies emergencies)
      implements LimitTerms {

    public Session {
      deferrals = List.copyOf(deferrals);
    }
  }

  /**
   * A limit that drips.
   *
   * @param capacity units in the full bucket
   * @param refill units that come back in each interval, 1 or more
   */
  record Bucket(
      String name, String meter, long capacity, long refill, Duration interval, ScheduleLabel label)
      implements LimitTerms {

    @Override
    public Long amount() {
      return capacity;
    }
  }

  /**
   * A limit on what was spent in the time just passed.
   *
   * @param window how far back spend counts
   * @param buckets how many the window is cut into
   */
  record Sliding(
      String name,
      String meter,
      @Nullable Long amount,
      Duration window,
      int buckets,
      ScheduleLabel label)
      implements LimitTerms {}
}
