package dev.tidegate.service;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.service.Answer.Missing;
import dev.tidegate.service.Answer.Unknown;
import dev.tidegate.store.ConfigurationTrail;
import dev.tidegate.store.ConfigurationTrail.Event;
import dev.tidegate.store.ConfigurationTrail.Page;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads who changed what in the configuration; it outlives the plan and the subject. */
@ApplicationScoped
public class ConfigurationHistory {

  private final ConfigurationTrail trail;
  private final Configuration configuration;
  private final PlanAdministration plans;
  private final SubjectAdministration subjects;

  ConfigurationHistory(
      ConfigurationTrail trail,
      Configuration configuration,
      PlanAdministration plans,
      SubjectAdministration subjects) {
    this.trail = trail;
    this.configuration = configuration;
    this.plans = plans;
    this.subjects = subjects;
  }

  /**
   * Some changes of a plan, the newest first; unknown when it is neither there nor ever was, as far
   * as the trail goes back.
   *
   * @param after where to go on; null = with the newest
   * @param count the greatest number of events
   */
  public Uni<Answer<Page>> ofPlan(String plan, @Nullable String after, int count) {
    return trail
        .ofPlan(plan, after, count)
        .chain(
            page ->
                plans
                    .find(plan)
                    .map(
                        stored ->
                            answer(
                                page,
                                stored != null || after != null,
                                new Unknown<>(Missing.PLAN, "there is no plan '" + plan + "'"))));
  }

  /**
   * Some changes of a subject in all its lives, the newest first; unknown when nobody registered
   * it, as far as the trail goes back.
   *
   * @param after where to go on; null = with the newest
   * @param count the greatest number of events
   */
  public Uni<Answer<Page>> ofSubject(SubjectId subject, @Nullable String after, int count) {
    return subjects
        .find(subject)
        .chain(
            stored ->
                ofSubject(stored.record().root(), subject, after, count)
                    .map(
                        page ->
                            answer(
                                page,
                                stored.isRegistered() || after != null,
                                new Unknown<>(Missing.SUBJECT, "nobody registered this subject"))));
  }

  private Uni<Page> ofSubject(
      SubjectId root, SubjectId subject, @Nullable String after, int count) {
    return configuration
        .rootsOf(subject, root)
        .chain(
            roots ->
                Uni.join()
                    .all(
                        roots.stream()
                            .map(each -> trail.ofSubject(each, subject, after, count))
                            .toList())
                    .andFailFast())
        .map(pages -> merged(pages, count));
  }

  private static Page merged(List<Page> pages, int count) {
    return Trails.merged(
        pages.stream().map(page -> new Trails.Part<>(page.events(), page.next())).toList(),
        Event::id,
        count,
        Page::new);
  }

  /** What is gone is found as long as there is anything to tell of it. */
  private static Answer<Page> answer(Page page, boolean known, Unknown<Page> unknown) {
    return known || !page.events().isEmpty() || page.next() != null
        ? new Decided<>(page, null)
        : unknown;
  }
}
