package dev.tidegate.domain.calendar;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The zones of the running tz data and their transitions. */
final class SampleZones {

  private SampleZones() {}

  /** Every available zone, one name for zones of the same rules. */
  static Collection<ZoneId> distinct() {
    Map<ZoneRules, ZoneId> zones = new LinkedHashMap<>();
    for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
      ZoneId zone = ZoneId.of(id);
      zones.putIfAbsent(zone.getRules(), zone);
    }
    return zones.values();
  }

  /** The transitions of {@code zone} from {@code from} up to {@code to}. */
  static List<ZoneOffsetTransition> transitions(ZoneId zone, Instant from, Instant to) {
    List<ZoneOffsetTransition> transitions = new ArrayList<>();
    ZoneOffsetTransition next = zone.getRules().nextTransition(from);
    while (next != null && next.getInstant().isBefore(to)) {
      transitions.add(next);
      next = zone.getRules().nextTransition(next.getInstant());
    }
    return transitions;
  }
}
