/** The period engine: schedules and the periods they cut time into, on {@code java.time} alone. */
@NullMarked
package dev.tidegate.domain.calendar;

import org.jspecify.annotations.NullMarked;
