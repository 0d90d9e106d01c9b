/** Tests of meters and health. */
@NullMarked
package dev.tidegate.observe;

import org.jspecify.annotations.NullMarked;
