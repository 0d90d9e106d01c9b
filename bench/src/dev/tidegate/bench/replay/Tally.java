package dev.tidegate.bench.replay;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What happened so far, counted by all callers at once. */
final class Tally {

  final LongAdder started = new LongAdder();
  final LongAdder finished = new LongAdder();
  final LongAdder admitted = new LongAdder();
  final LongAdder settled = new LongAdder();
  final LongAdder settledLate = new LongAdder();
  final LongAdder died = new LongAdder();

  /** Settle calls that were repeated because the outcome of the one before was not known. */
  final LongAdder settleRetries = new LongAdder();

  final LongAdder chargedTokens = new LongAdder();

  /** Reserved but not used, and thus given back by a settle. */
  final LongAdder returnedTokens = new LongAdder();

  final Latencies reserve = new Latencies();
  final Latencies settle = new Latencies();

  /** From when the trace wanted a call to start until it did. */
  final Latencies lag = new Latencies();

  private final Map<String, LongAdder> denied = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> failed = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> unsettled = new ConcurrentHashMap<>();
  private final Map<PeriodKey, Long> ledger = new ConcurrentHashMap<>();

  /** Counts a reservation that was refused with a problem code. */
  void denied(String code) {
    count(denied, code);
  }

  /** Counts a reservation that got no answer, or one that is neither yes nor no. */
  void failed(String why) {
    count(failed, why);
  }

  /** Counts a settle that did not succeed in the end; what it charged is not known. */
  void unsettled(String why) {
    count(unsettled, why);
  }

  private static void count(Map<String, LongAdder> counts, String name) {
    counts.computeIfAbsent(name, any -> new LongAdder()).increment();
  }

  /** Notes an amount as settled for a reservation that was taken in that period. */
  void settledIn(PeriodKey period, long amount) {
    ledger.merge(period, amount, Math::addExact);
  }

  /** What was settled in each period. */
  Map<PeriodKey, Long> ledger() {
    return Map.copyOf(ledger);
  }

  SortedMap<String, Long> deniedByCode() {
    return sums(denied);
  }

  SortedMap<String, Long> failedByReason() {
    return sums(failed);
  }

  SortedMap<String, Long> unsettledByReason() {
    return sums(unsettled);
  }

  long deniedTotal() {
    return deniedByCode().values().stream().mapToLong(Long::longValue).sum();
  }

  private static SortedMap<String, Long> sums(Map<String, LongAdder> counts) {
    SortedMap<String, Long> sums = new TreeMap<>();
    counts.forEach((name, count) -> sums.put(name, count.sum()));
    return sums;
  }
}
