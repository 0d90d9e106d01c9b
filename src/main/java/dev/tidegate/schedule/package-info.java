/** Timers that call a service, nothing else. */
@NullMarked
package dev.tidegate.schedule;

import org.jspecify.annotations.NullMarked;
