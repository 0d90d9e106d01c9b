/** A real Redis for tests and for a developer's machine; never part of what is shipped. */
@NullMarked
package dev.tidegate.dev;

import org.jspecify.annotations.NullMarked;
