package dev.tidegate.service;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.service.Answer.Decided;
import dev.tidegate.store.AuditEvent;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import dev.tidegate.store.GrantStore;
import dev.tidegate.store.GrantStore.AuditPage;
import dev.tidegate.store.GrantStore.AuditQuery;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the trail of what was granted; it outlives the subject and its plan. */
@ApplicationScoped
public class AuditReading {

  private final Configuration configuration;
  private final GrantStore store;
  private final Deadline deadline;

  AuditReading(Configuration configuration, GrantStore store, Deadline deadline) {
    this.deadline = deadline;
    this.configuration = configuration;
    this.store = store;
  }

  /**
   * Some events, the newest first.
   *
   * @param operation null = any
   * @param after where to go on; null = with the newest
   * @param count the greatest number of events
   */
  public Uni<Answer<AuditPage>> read(
      SubjectId subject,
      String resource,
      AuditEvent.@Nullable Operation operation,
      @Nullable String after,
      int count) {
    return deadline.over(
        configuration
            .resolve(subject, resource)
            .chain(
                resolution ->
                    switch (resolution) {
                      case Resolution.Found(Resolved resolved) ->
                          read(
                                  resolved.root(),
                                  subject,
                                  resolved.resource(),
                                  operation,
                                  after,
                                  count)
                              .map(page -> new Decided<>(page, resolved));
                      case Resolution.Absent absent ->
                          readAbsent(absent, subject, resource, operation, after, count);
                    }));
  }

  /** What is gone is found as long as there is anything to tell of it. */
  private Uni<Answer<AuditPage>> readAbsent(
      Resolution.Absent absent,
      SubjectId subject,
      String resource,
      AuditEvent.@Nullable Operation operation,
      @Nullable String after,
      int count) {
    SubjectRecord record = absent.record();
    return read(record.root(), subject, resource, operation, after, count)
        .map(
            page ->
                page.events().isEmpty() && page.next() == null && after == null
                    ? new Answer.Unknown<>(absent.what(), absent.detail())
                    : new Decided<>(page, null));
  }

  private Uni<AuditPage> read(
      SubjectId root,
      SubjectId subject,
      String resource,
      AuditEvent.@Nullable Operation operation,
      @Nullable String after,
      int count) {
    AuditQuery query = new AuditQuery(resource, operation, after, count);
    return configuration
        .rootsOf(subject, root)
        .chain(
            roots ->
                Uni.join()
                    .all(roots.stream().map(each -> store.audit(each, subject, query)).toList())
                    .andFailFast())
        .map(pages -> merged(pages, count));
  }

  private static AuditPage merged(List<AuditPage> pages, int count) {
    return Trails.merged(
        pages.stream().map(page -> new Trails.Part<>(page.events(), page.next())).toList(),
        AuditEvent::id,
        count,
        AuditPage::new);
  }
}
