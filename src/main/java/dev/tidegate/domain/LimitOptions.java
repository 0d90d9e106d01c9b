package dev.tidegate.domain;

import java.util.List;

/**
 * The options that every kind of limit has.
 *
 * @param warnAtPercent ascending percentages of the limit, 1 to 100, whose crossing is warned of
 * @param returnSpreadSeconds over how long the advised retries after a reset are spread, 0 for not
 *     at all
 * @param allowOnStoreFailure whether a call is let through when the store does not answer
 * @param shareAmountsWithMembers whether members see the amounts of this limit of their parent
 */
public record LimitOptions(
    List<Integer> warnAtPercent,
    int returnSpreadSeconds,
    boolean allowOnStoreFailure,
    boolean shareAmountsWithMembers) {

  /** Every option off. */
  public static final LimitOptions NONE = new LimitOptions(List.of(), 0, false, false);

  public LimitOptions {
    warnAtPercent = List.copyOf(warnAtPercent);
  }
}
