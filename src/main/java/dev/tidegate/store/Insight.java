package dev.tidegate.store;

import dev.tidegate.domain.PeriodUse;
import dev.tidegate.domain.RecentUse;
import java.util.Map;

/**
 * How a level uses its quota.
 *
 * @param byMeter what was used lately of each meter that a limit of the level counts; none when it
 *     was never used
 * @param byLimit what was used of each period that is running; none when no usage was named, or of
 *     other limits
 */
public record Insight(Map<String, RecentUse> byMeter, Map<String, PeriodUse> byLimit) {

  /** Nothing is known. */
  public static final Insight NONE = new Insight(Map.of(), Map.of());

  public Insight {
    byMeter = Map.copyOf(byMeter);
    byLimit = Map.copyOf(byLimit);
  }
}
