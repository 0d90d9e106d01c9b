/** Malformed requests by the thousand, made from the published contract. */
@NullMarked
package dev.tidegate.bench.fuzz;

import org.jspecify.annotations.NullMarked;
