/**
 * The words of the product as records and sealed types: subjects, plans, limits, reservations and
 * their outcomes.
 *
 * <p>Pure: nothing here knows HTTP, JSON or Redis.
 */
@NullMarked
package dev.tidegate.domain;

import org.jspecify.annotations.NullMarked;
