package dev.tidegate.domain;

import java.math.BigDecimal;

/**
 * What was used of one category, and what it weighs on a meter.
 *
 * @param units as they were used, 0 to {@link Amounts#MAX}
 * @param weighted what they come to in units of the meter, exact; at most six decimals
 */
public record CategoryUse(long units, BigDecimal weighted) {

  /** The most decimals of a weight, and so of a weighted amount of whole units. */
  public static final int DECIMALS = 6;

  /** Nothing used. */
  public static final CategoryUse NONE = new CategoryUse(0, BigDecimal.ZERO);

  public CategoryUse {
    weighted = weighted.stripTrailingZeros();
  }
}
