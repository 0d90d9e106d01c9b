package dev.tidegate.bench.replay;

import java.time.Duration;
import java.time.Instant;

/**
 * One model call of a trace.
 *
 * @param line its line in the file, from 1
 * @param at when it was made
 * @param contextTokens the tokens of its prompt, known before the call
 * @param generatedTokens the tokens of its answer, known only after the call
 */
public record TraceRow(int line, Instant at, long contextTokens, long generatedTokens) {

  private static final long BASE_MILLIS = 500;
  private static final long MILLIS_PER_GENERATED_TOKEN = 20;

  /** What the call really used, in tokens. */
  public long usedTokens() {
    return contextTokens + generatedTokens;
  }

  /** How long the call took; traces do not say, so it is estimated from the answer's size. */
  Duration length() {
    return Duration.ofMillis(BASE_MILLIS + MILLIS_PER_GENERATED_TOKEN * generatedTokens);
  }
}
