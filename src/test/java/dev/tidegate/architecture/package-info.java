/** Which room may know of which. */
@NullMarked
package dev.tidegate.architecture;

import org.jspecify.annotations.NullMarked;
