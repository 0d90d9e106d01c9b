package dev.tidegate.store;

import dev.tidegate.domain.calendar.Period;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A period of a limit that has ended.
 *
 * @param amount the limit in force when it ended; null = none
 * @param anchor the restart that its schedule was counted from; null = as the plan said
 */
public record ClosedPeriod(
    String limit,
    ScheduleLabel label,
    long seq,
    Period period,
    @Nullable Long amount,
    long topup,
    long used,
    long held,
    @Nullable Instant anchor) {}
