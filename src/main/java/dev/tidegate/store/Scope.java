package dev.tidegate.store;

import dev.tidegate.domain.SubjectId;
import java.util.List;

/**
 * Whom and what a call is about.
 *
 * @param root the topmost parent, in whose slot everything lies
 * @param levels the subject first, then its parents; one to three
 * @param resource the canonical name
 */
public record Scope(SubjectId root, List<Level> levels, String resource) {

  public Scope {
    levels = List.copyOf(levels);
  }

  public Level subject() {
    return levels.getFirst();
  }
}
