package dev.tidegate.store;

/**
 * What makes a call safe to repeat: a key and what it was used for.
 *
 * @param value the caller's {@code Idempotency-Key}
 * @param fingerprint tells calls with the same key apart
 */
public record IdempotencyKey(String value, String fingerprint) {}
