package dev.tidegate.service;

import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The next boundaries of every schedule in every zone it is used in, so that a call looks them up.
 * What is not in the table is computed: every answer is the same without it.
 */
public final class BoundaryTable {

  /** How many periods a row holds, the current one first. */
  public static final int ROW_LENGTH = 65;

  private final int maxRows;
  private final Map<Key, Row> rows = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /**
   * @param maxRows how many pairs of a schedule and a zone the table holds; further ones are
   *     computed each time
   */
  public BoundaryTable(int maxRows) {
    this.maxRows = maxRows;
  }

  /** A schedule in a zone. */
  public record Key(PeriodicSchedule schedule, ZoneId zone) {}

  /** The period that contains an instant, and the one after it. */
  public record Pair(Period current, Period next) {}

  private static final class Row {
    private final Period[] periods;
    private volatile boolean used = true;

    private Row(Period[] periods) {
      this.periods = periods;
    }

    private @Nullable Pair pairAt(Instant now) {
      if (!periods[0].start().isAfter(now)) {
        for (int n = 0; n < periods.length - 1; n++) {
          if (now.isBefore(periods[n].end())) {
            return new Pair(periods[n], periods[n + 1]);
          }
        }
      }
      return null;
    }
  }

  /**
   * The period of {@code schedule} in {@code zone} that contains {@code now}, and the one after it.
   */
  public Pair at(PeriodicSchedule schedule, ZoneId zone, Instant now) {
    Key key = new Key(schedule, zone);
    Row row = rows.get(key);
    Pair found = row == null ? null : row.pairAt(now);
    if (row != null && found != null) {
      row.used = true;
      hits.increment();
      return found;
    }
    misses.increment();
    if (row != null || rows.size() < maxRows) {
      Row fresh = rowOf(key, now);
      rows.put(key, fresh);
      return new Pair(fresh.periods[0], fresh.periods[1]);
    }
    Period current = schedule.periodAt(now, zone);
    return new Pair(current, schedule.periodAfter(current, zone));
  }

  private static Row rowOf(Key key, Instant now) {
    return new Row(key.schedule().periodsFrom(now, key.zone(), ROW_LENGTH).toArray(Period[]::new));
  }

  /**
   * Fills the table anew: the rows in {@code wanted}, and those of other zones that were used since
   * the last time.
   *
   * @param wanted what the plans name
   * @param schedules every schedule that is still in a plan; a row of another one is dropped
   */
  public void refresh(Set<Key> wanted, Set<PeriodicSchedule> schedules, Instant now) {
    rows.entrySet()
        .removeIf(
            entry ->
                !wanted.contains(entry.getKey())
                    && (!entry.getValue().used || !schedules.contains(entry.getKey().schedule())));
    for (Key key : wanted) {
      if (rows.size() < maxRows) {
        rows.computeIfAbsent(key, missing -> rowOf(missing, now));
      }
    }
    rows.replaceAll(
        (key, row) -> {
          Row fresh = rowOf(key, now);
          fresh.used = false;
          return fresh;
        });
  }

  /** How many pairs of a schedule and a zone are in the table. */
  public int size() {
    return rows.size();
  }

  /** How many look-ups found their periods in the table. */
  public long hits() {
    return hits.sum();
  }

  /** How many look-ups had to compute. */
  public long misses() {
    return misses.sum();
  }
}
