@NullMarked
package dev.tidegate.security;

import org.jspecify.annotations.NullMarked;
