/** Measures how exact the burn rates are under recorded load. */
@NullMarked
package dev.tidegate.bench.rates;

import org.jspecify.annotations.NullMarked;
