/** The settings of the service, in one tree. */
@NullMarked
package dev.tidegate.config;

import org.jspecify.annotations.NullMarked;
