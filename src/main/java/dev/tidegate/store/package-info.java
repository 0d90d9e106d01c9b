/** The ports to where state lives, as asynchronous operations on domain types. */
@NullMarked
package dev.tidegate.store;

import org.jspecify.annotations.NullMarked;
