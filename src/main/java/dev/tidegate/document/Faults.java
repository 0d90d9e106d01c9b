package dev.tidegate.document;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects the faults of one document. Those of a discreet one quote nothing of it: neither values
 * nor names that are not known, as a secret may stand anywhere in a document that has some.
 */
final class Faults {

  /** As many faults as a person will read; those found later are counted only. */
  static final int MAX = 100;

  private final List<Fault> listed = new ArrayList<>();
  private final boolean discreet;
  private int count;

  Faults(boolean discreet) {
    this.discreet = discreet;
  }

  /** Whether nothing of the document may be quoted. */
  boolean areDiscreet() {
    return discreet;
  }

  void add(Path path, String reason) {
    count++;
    if (listed.size() < MAX) {
      listed.add(new Fault(path.toString(), reason));
    }
  }

  /** How many faults were found, also those that are not listed. */
  int count() {
    return count;
  }

  /** The first {@link #MAX} faults. */
  List<Fault> listed() {
    return List.copyOf(listed);
  }
}
