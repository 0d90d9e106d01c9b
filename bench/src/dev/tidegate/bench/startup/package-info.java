/**
 * How fast the service starts and how much memory it takes, in each form that it is packaged in.
 */
@NullMarked
package dev.tidegate.bench.startup;

import org.jspecify.annotations.NullMarked;
