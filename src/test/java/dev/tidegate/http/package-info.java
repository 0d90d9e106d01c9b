/**
 * The HTTP API from outside, over a real Redis. Every answer is checked against {@code
 * openapi.yaml}.
 *
 * <p>The tests know nothing but the address of the service and of its Redis, so that they hold for
 * a packaged service, too.
 */
@NullMarked
package dev.tidegate.http;

import org.jspecify.annotations.NullMarked;
