/** Settings that are refused. */
@NullMarked
package dev.tidegate.config;

import org.jspecify.annotations.NullMarked;
