package dev.tidegate.store;

import dev.tidegate.domain.calendar.Period;

/**
 * One emergency top-up, as the plan has it.
 *
 * @param amount units that it adds, 1 or more
 * @param max how many there may be, 1 or more
 * @param perDay whether they are counted per natural day instead of per period
 * @param today the day of the subject's zone that contains the caller's idea of now
 * @param tomorrow the day after it
 */
public record EmergencyTerms(
    String limit, long amount, int max, boolean perDay, Period today, Period tomorrow) {}
