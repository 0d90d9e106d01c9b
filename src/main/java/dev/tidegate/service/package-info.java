/** One class per use of the service: metering, reading, configuration. */
@NullMarked
package dev.tidegate.service;

import org.jspecify.annotations.NullMarked;
