/** Measures the kinds of limit: how exact a sliding budget is, and what more limits cost. */
@NullMarked
package dev.tidegate.bench.limits;

import org.jspecify.annotations.NullMarked;
