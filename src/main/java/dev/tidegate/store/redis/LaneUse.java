package dev.tidegate.store.redis;

/**
 * What some lanes are doing, as seen from any thread.
 *
 * @param open how many have a connection
 * @param opening how many are connecting
 * @param closed how many have none
 * @param underWay commands that were sent and not answered
 * @param waiting commands that wait for a connection
 */
record LaneUse(int open, int opening, int closed, int underWay, int waiting) {

  /** No lanes at all. */
  static final LaneUse NONE = new LaneUse(0, 0, 0, 0, 0);

  /** Both together. */
  LaneUse and(LaneUse other) {
    return new LaneUse(
        open + other.open,
        opening + other.opening,
        closed + other.closed,
        underWay + other.underWay,
        waiting + other.waiting);
  }
}
