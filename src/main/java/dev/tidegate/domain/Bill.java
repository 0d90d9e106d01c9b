package dev.tidegate.domain;

/**
 * What a call is charged.
 *
 * @param amounts by meter
 * @param breakdown by category, of those amounts that come from usage
 */
public record Bill(Amounts amounts, Breakdown breakdown) implements UsageRules.Billing {

  /** A bill of amounts alone. */
  public static Bill of(Amounts amounts) {
    return new Bill(amounts, Breakdown.NONE);
  }
}
