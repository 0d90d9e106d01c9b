/** Faults under load, and the audit that each of them allows. */
@NullMarked
package dev.tidegate.bench.faults;

import org.jspecify.annotations.NullMarked;
