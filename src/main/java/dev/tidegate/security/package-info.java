/** Who is calling, and what they may do. */
@NullMarked
package dev.tidegate.security;

import org.jspecify.annotations.NullMarked;
