/** How many calls a second the service answers, against the bare script over the same lanes. */
@NullMarked
package dev.tidegate.bench.throughput;

import org.jspecify.annotations.NullMarked;
