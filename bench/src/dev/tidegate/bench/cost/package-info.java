/** Whether what a call costs stays the same, however much is held and however many there are. */
@NullMarked
package dev.tidegate.bench.cost;

import org.jspecify.annotations.NullMarked;
