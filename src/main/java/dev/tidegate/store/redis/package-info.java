/**
 * The Redis adapter: lanes, scripts, keys, and the encoders and decoders of commands and replies.
 */
@NullMarked
package dev.tidegate.store.redis;

import org.jspecify.annotations.NullMarked;
