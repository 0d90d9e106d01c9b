package dev.tidegate.store.redis;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationTrail;
import dev.tidegate.store.StoreClock;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The audit trails of plans and subjects in Redis. */
final class RedisConfigurationTrail implements ConfigurationTrail {

  private final ScriptRunner scripts;
  private final Keys keys;
  private final StoreClock clock;
  private final Retention retention;

  RedisConfigurationTrail(ScriptRunner scripts, Keys keys, StoreClock clock, Retention retention) {
    this.scripts = scripts;
    this.keys = keys;
    this.clock = clock;
    this.retention = retention;
  }

  @Override
  public Uni<Page> ofPlan(String plan, @Nullable String after, int count) {
    return read(keys.planTrail(), plan, after, count);
  }

  @Override
  public Uni<Page> ofSubject(SubjectId root, SubjectId subject, @Nullable String after, int count) {
    return read(keys.trail(root, subject), subject.value(), after, count);
  }

  private Uni<Page> read(String trail, String name, @Nullable String after, int count) {
    Arguments arguments =
        new Arguments()
            .add(clock.pinnedMillis())
            .add(retention.kept())
            .add(after == null ? "" : after)
            .add(count)
            .add(name);
    return scripts
        .run(Script.READ_CHANGES, List.of(trail), arguments)
        .map(
            reply ->
                switch (reply.status()) {
                  case AUDIT -> page(reply);
                  default -> throw reply.malformed("the status " + reply.status());
                });
  }

  private static Page page(Reply reply) {
    String next = reply.optionalText();
    List<Event> events = new ArrayList<>();
    int count = reply.count();
    for (int n = 0; n < count; n++) {
      events.add(event(reply));
    }
    return new Page(events, next);
  }

  /** One event; see {@code read_changes.lua}. */
  private static Event event(Reply reply) {
    String id = reply.text();
    Operation operation = Operation.valueOf(reply.text().toUpperCase(Locale.ROOT));
    var at = reply.instant();
    Author by = new Author(reply.text(), reply.text());
    long versionBefore = reply.number();
    long version = reply.number();
    long revision = reply.number();
    return new Event(
        id, at, operation, by, versionBefore, version, revision, document(reply), document(reply));
  }

  private static Document document(Reply reply) {
    return new Document(reply.number(), reply.optionalText());
  }
}
