package dev.tidegate.domain.calendar;

import java.time.ZoneId;
import java.util.Set;

/**
 * The zones a subject or a limit may name: the regions of the tz database, such as {@code
 * Europe/Berlin} or {@code Etc/GMT+5}, and {@code UTC}.
 *
 * <p>{@link ZoneId#of} takes more: plain offsets, prefixes such as {@code GMT+3} and the old {@code
 * SystemV} names. Those follow no legislation or mean the opposite of what they seem to.
 */
public final class RegionZones {

  /** The longest id of the tz database has 32 characters. */
  private static final int MAX_ID_LENGTH = 64;

  private static final Set<String> AVAILABLE = Set.copyOf(ZoneId.getAvailableZoneIds());

  private RegionZones() {}

  /**
   * The zone with exactly this id.
   *
   * @param id a region with a {@code /}, or {@code UTC}; upper and lower case matter
   * @throws IllegalArgumentException if the running tz data has no such region
   */
  public static ZoneId parse(String id) {
    if (id.length() > MAX_ID_LENGTH) {
      throw new IllegalArgumentException(
          "a zone id has at most %d characters, not %d".formatted(MAX_ID_LENGTH, id.length()));
    }
    if (!isRegion(id)) {
      throw new IllegalArgumentException(
          "'%s' is not a zone: expected a region such as Europe/Berlin, or UTC".formatted(id));
    }
    return ZoneId.of(id);
  }

  private static boolean isRegion(String id) {
    return id.equals("UTC")
        || (id.contains("/") && !id.startsWith("SystemV/") && AVAILABLE.contains(id));
  }
}
