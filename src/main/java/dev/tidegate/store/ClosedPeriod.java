package dev.tidegate.store;

import dev.tidegate.domain.calendar.Period;
import org.jspecify.annotations.Nullable;

/**
 * A period of a limit that has ended.
 *
 * @param amount the limit in force when it ended; null = none
 */
public record ClosedPeriod(
    String limit,
    ScheduleLabel label,
    long seq,
    Period period,
    @Nullable Long amount,
    long topup,
    long used,
    long held) {}
