package dev.tidegate.service;

import dev.tidegate.store.AuditEvent;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts the trails that a subject left under several roots together. */
final class Trails {

  private Trails() {}

  /**
   * Some events of one trail, the newest first.
   *
   * @param next where it goes on; null = these were the last
   */
  record Part<E>(List<E> events, @Nullable String next) {}

  /** Makes a page of events and of where to go on. */
  interface Pages<E, P> extends BiFunction<List<E>, @Nullable String, P> {}

  /**
   * One page of several trails. What lies behind the place where any of them goes on is left to the
   * next page.
   *
   * @param parts at least one
   * @param count the greatest number of events
   */
  static <E, P> P merged(List<Part<E>> parts, Function<E, String> id, int count, Pages<E, P> page) {
    if (parts.size() == 1) {
      return page.apply(parts.getFirst().events(), parts.getFirst().next());
    }
    String goesOn =
        parts.stream().map(Part::next).filter(Objects::nonNull).max(AuditEvent.BY_ID).orElse(null);
    List<E> known =
        parts.stream()
            .flatMap(part -> part.events().stream())
            .filter(
                event -> goesOn == null || AuditEvent.BY_ID.compare(id.apply(event), goesOn) >= 0)
            .sorted(Comparator.comparing(id, AuditEvent.BY_ID).reversed())
            .toList();
    return known.size() > count
        ? page.apply(known.subList(0, count), id.apply(known.get(count - 1)))
        : page.apply(known, goesOn);
  }
}
