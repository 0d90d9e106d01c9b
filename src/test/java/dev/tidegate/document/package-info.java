@NullMarked
package dev.tidegate.document;

import org.jspecify.annotations.NullMarked;
