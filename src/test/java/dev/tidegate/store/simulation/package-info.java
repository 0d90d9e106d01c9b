/** Seeded random operations on a store and on the model, which must agree. */
@NullMarked
package dev.tidegate.store.simulation;

import org.jspecify.annotations.NullMarked;
