package dev.tidegate.store;

import dev.tidegate.domain.SubjectId;
import java.util.List;

/**
 * Whom and what a call is about.
 *
 * @param root the topmost parent, in whose slot everything lies
 * @param levels the subject first, then its parents; one to three
 * @param resource the canonical name
 * @param plansGeneration the generation of the plans that the call was decided with; {@link
 *     #ANY_PLANS} = it does not matter
 */
public record Scope(SubjectId root, List<Level> levels, String resource, long plansGeneration) {

  /** For calls that no plan decides. */
  public static final long ANY_PLANS = 0;

  public Scope {
    levels = List.copyOf(levels);
  }

  public Level subject() {
    return levels.getFirst();
  }

  /** The same with other levels. */
  public Scope withLevels(List<Level> others) {
    return new Scope(root, others, resource, plansGeneration);
  }

  /** The subject alone, in the same slot. */
  public Scope ofSubject() {
    return withLevels(List.of(subject()));
  }
}
