/** What every file of the project keeps to. */
@NullMarked
package dev.tidegate.tidy;

import org.jspecify.annotations.NullMarked;
