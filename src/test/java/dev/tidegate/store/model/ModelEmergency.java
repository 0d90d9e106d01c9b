package dev.tidegate.store.model;

/** One emergency top-up, for as long as a cap counts it. */
final class ModelEmergency {

  final String limit;

  /** Whether it is counted with the current period, whose end moves with a restart. */
  boolean ofPeriod;

  long untilMillis;

  ModelEmergency(String limit, boolean ofPeriod, long untilMillis) {
    this.limit = limit;
    this.ofPeriod = ofPeriod;
    this.untilMillis = untilMillis;
  }
}
