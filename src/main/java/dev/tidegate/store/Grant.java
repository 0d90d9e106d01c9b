package dev.tidegate.store;

import org.jspecify.annotations.Nullable;

/**
 * What every grant comes with: who grants, on what condition, and why.
 *
 * @param by the principal, as it is named in the configuration of keys
 * @param role the role that it acts in
 * @param ifVersion the version that the grant is for; null = whatever it is
 * @param reason for the audit trail; null = none was given
 */
public record Grant(
    String by,
    String role,
    @Nullable Long ifVersion,
    @Nullable String reason,
    @Nullable IdempotencyKey key) {}
