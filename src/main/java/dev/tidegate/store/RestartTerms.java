package dev.tidegate.store;

import dev.tidegate.domain.calendar.Period;

/**
 * The restart of one limit.
 *
 * @param period the one that the restarted schedule has around its anchor
 * @param max how many restarts there may be, 1 or more; 0 = any number
 * @param perDays in how many days of 24 hours
 */
public record RestartTerms(String limit, Period period, int max, int perDays) {}
