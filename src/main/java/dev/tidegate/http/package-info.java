/** The HTTP API: a resource maps a request, calls one service and maps the answer back. */
@NullMarked
package dev.tidegate.http;

import org.jspecify.annotations.NullMarked;
