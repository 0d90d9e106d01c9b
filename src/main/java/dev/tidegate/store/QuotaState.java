package dev.tidegate.store;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.Period;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of every level at one instant.
 *
 * @param now the store's clock
 * @param levels the subject first, then its parents
 */
public record QuotaState(Instant now, List<LevelState> levels) {

  public QuotaState {
    levels = List.copyOf(levels);
  }

  /**
   * One level.
   *
   * @param version the number that a grant would have to name; 0 = nothing is stored
   */
  public record LevelState(SubjectId subject, long version, List<LimitState> limits) {

    public LevelState {
      limits = List.copyOf(limits);
    }
  }

  /**
   * One limit.
   *
   * @param kind {@code period}, {@code session}, {@code token_bucket} or {@code sliding}
   * @param amount units until it refuses; null never refuses
   * @param label the schedule of the period, which may be an earlier one than the plan's
   * @param seq the sequence number of the period; of a limit without periods, how often it was
   *     reset
   * @param period the current period; null = a session that is not running, or a limit without
   *     periods
   * @param resetAt when everything is free again if nobody acts: the end of the period, or when the
   *     bucket is full or the window empty; null = a session that is not running
   * @param used units that count against the limit; of a token bucket those that have not come back
   * @param emergencies emergency top-ups that its cap counts
   * @param emergenciesAllowed how many there may be
   * @param prorated whether the period is shorter than usual, and the amount with it
   * @param waitMillis milliseconds until one unit more fits, if nobody else acts; 0 = now, -1 =
   *     waiting does not help
   */
  public record LimitState(
      String kind,
      String name,
      String meter,
      @Nullable Long amount,
      ScheduleLabel label,
      long seq,
      @Nullable Period period,
      @Nullable Instant resetAt,
      long used,
      long held,
      long topup,
      int emergencies,
      int emergenciesAllowed,
      boolean prorated,
      long waitMillis) {

    /** Whether a limit of that kind is cut into periods. */
    public static boolean hasPeriods(String kind) {
      return kind.equals("period") || kind.equals("session");
    }

    /** Whether it is cut into periods; what is not is a rate. */
    public boolean hasPeriods() {
      return hasPeriods(kind);
    }

    /** Units that may still be taken, 0 or more; null = without bound. */
    public @Nullable Long remaining() {
      if (amount == null) {
        return null;
      }
      long whole = Math.min(Amounts.MAX, amount + topup);
      return Math.max(0, whole - used - held);
    }
  }
}
