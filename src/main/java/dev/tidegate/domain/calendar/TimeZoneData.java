package dev.tidegate.domain.calendar;

import java.time.zone.ZoneRulesProvider;
import java.util.regex.Pattern;

/**
 * The version of the time-zone data that boundaries are computed with, such as {@code 2026a}.
 *
 * <p>It comes with the JDK. A native executable carries that of the JDK it was built with, for as
 * long as it lives; so one with older data than {@link #PINNED} is not built at all.
 */
public final class TimeZoneData {

  /** What a release has at least. Newer data is as good; older data has other boundaries. */
  public static final String PINNED = "2026a";

  /** Names another version in place of {@link #PINNED} for what is built. */
  private static final String OLDEST_PROPERTY = "tidegate.tzdata.oldest";

  /** A year and letters, which go from {@code z} on to {@code za}. */
  private static final Pattern VERSION = Pattern.compile("[0-9]{4}[a-z]+");

  /** Says {@code buildtime} while this class becomes a part of a native executable. */
  private static final String IMAGE_CODE_PROPERTY = "org.graalvm.nativeimage.imagecode";

  static {
    if ("buildtime".equals(System.getProperty(IMAGE_CODE_PROPERTY))) {
      requireNotOlder(System.getProperty(OLDEST_PROPERTY, PINNED));
    }
  }

  private TimeZoneData() {}

  /** The version of the running process. */
  public static String version() {
    return ZoneRulesProvider.getVersions("UTC").lastEntry().getKey();
  }

  /**
   * Whether a version came out before another. Their names are a year and letters that grow, which
   * is the order of their texts.
   */
  public static boolean isOlder(String version, String than) {
    return version.compareTo(than) < 0;
  }

  /**
   * Fails where this process has older data.
   *
   * @param oldest a version, such as {@code 2026a}
   * @throws IllegalStateException with what to do about it
   * @throws IllegalArgumentException if {@code oldest} is no version; the message names the option
   */
  public static void requireNotOlder(String oldest) {
    if (!VERSION.matcher(oldest).matches()) {
      throw new IllegalArgumentException(
          "%s must be a version of time-zone data such as 2026a, not '%s'"
              .formatted(OLDEST_PROPERTY, oldest));
    }
    if (isOlder(version(), oldest)) {
      throw new IllegalStateException(
          "the time-zone data is %s, and %s or newer is wanted: take a JDK that was updated since"
              .formatted(version(), oldest));
    }
  }

  /**
   * Fails where the data of the JDK that runs it is too old. The build of an image of the JVM runs
   * it with the JDK of that image.
   *
   * @param args one version, or none for {@link #PINNED}
   */
  public static void main(String[] args) {
    requireNotOlder(args.length > 0 ? args[0] : PINNED);
    System.out.println("time-zone data " + version());
  }
}
