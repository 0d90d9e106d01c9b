/** Plays a recorded trace of model calls against a running service and audits what it counted. */
@NullMarked
package dev.tidegate.bench.replay;

import org.jspecify.annotations.NullMarked;
