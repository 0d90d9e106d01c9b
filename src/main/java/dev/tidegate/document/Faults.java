package dev.tidegate.document;

import java.util.ArrayList;
import java.util.List;

/** Collects the faults of one document. */
final class Faults {

  /** As many faults as a person will read; those found later are counted only. */
  static final int MAX = 100;

  private final List<Fault> listed = new ArrayList<>();
  private int count;

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
