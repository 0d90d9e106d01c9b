package dev.tidegate.store.redis;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The text of every key. All keys of a subject carry the hash tag of its root, so that a member and
 * its pool lie in one slot; ids are encoded, so that none can forge a key or a hash tag.
 */
final class Keys {

  /** The version of the layout of what is stored. */
  private static final String SCHEMA = "1";

  private static final String HEX = "0123456789ABCDEF";

  private final String base;

  /**
   * @param prefix what every key starts with
   */
  Keys(String prefix) {
    base = prefix + ":" + SCHEMA + ":";
  }

  /** What every key starts with. */
  String base() {
    return base;
  }

  private String in(SubjectId root, String kind) {
    return base + "{" + encode(root.value()) + "}:" + kind;
  }

  /** The six keys of a level, in the order of {@code lib/terms.lua}. */
  List<String> ofLevel(SubjectId root, Level level, String resource) {
    List<String> state = ofState(root, level.subject(), level.incarnation(), resource);
    return List.of(
        subject(root, level.subject()),
        state.get(0),
        state.get(1),
        state.get(2),
        resources(root, level.subject(), level.incarnation()),
        state.get(3));
  }

  /** State, leases, history and usage of one life of a subject on a resource. */
  List<String> ofState(SubjectId root, SubjectId subject, long incarnation, String resource) {
    String metered = encode(subject.value()) + ":" + incarnation + ":" + encode(resource);
    return List.of(
        in(root, "state:" + metered),
        in(root, "leases:" + metered),
        in(root, "history:" + metered),
        in(root, "usage:" + metered));
  }

  /** The record of a subject: what is configured of it. */
  String subject(SubjectId root, SubjectId subject) {
    return in(root, "subject:" + encode(subject.value()));
  }

  /** The set of resources that one life of a subject has state on. */
  String resources(SubjectId root, SubjectId subject, long incarnation) {
    return in(root, "resources:" + encode(subject.value()) + ":" + incarnation);
  }

  /** The set of the members of a parent. */
  String members(SubjectId root, SubjectId parent) {
    return in(root, "members:" + encode(parent.value()));
  }

  String reservation(ReservationId id) {
    return in(id.root(), "reservation:" + id.token());
  }

  String idempotency(SubjectId root, SubjectId subject, long incarnation, String key) {
    return in(
        root, "idempotency:" + encode(subject.value()) + ":" + incarnation + ":" + encode(key));
  }

  /** The audit trail of a subject, in all its lives. */
  String audit(SubjectId root, SubjectId subject) {
    return in(root, "audit:" + encode(subject.value()));
  }

  /** The audit trail of what is configured of a subject, in all its lives. */
  String trail(SubjectId root, SubjectId subject) {
    return in(root, "trail:" + encode(subject.value()));
  }

  /** The audit trail of all plans, in the slot of {@link #plans()}. */
  String planTrail() {
    return base + "{" + plans() + "}:trail";
  }

  /** All plans, in one hash. */
  String plans() {
    return base + "plans";
  }

  /** The channel on which changes of plans are told. */
  String changes() {
    return base + "changes";
  }

  /** The test clock. */
  String testClock() {
    return base + "test-clock";
  }

  /** A pattern that all keys of metered state match, and no key of configuration. */
  List<String> patternsOfState() {
    return List.of(
        base + "{*}:state:*",
        base + "{*}:reservation:*",
        base + "{*}:idempotency:*",
        base + "{*}:history:*",
        base + "{*}:usage:*");
  }

  /**
   * The id with everything but letters, digits, {@code -}, {@code _}, {@code .} and {@code @} as
   * {@code %XX}.
   */
  static String encode(String id) {
    StringBuilder out = new StringBuilder(id.length());
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      if (isPlain(c)) {
        out.append(c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
      }
    }
    return out.toString();
  }

  private static boolean isPlain(char c) {
    boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '@';
  }
}
