package dev.tidegate.store.redis;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore.Deferral;
import dev.tidegate.store.ConfigurationStore.Result;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import dev.tidegate.store.ConfigurationStore.Waiting;
import dev.tidegate.store.ConfigurationStore.Written;
import dev.tidegate.store.StoreClock;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The records of subjects, each in the slot of its root: found, written, moved and ended. */
final class SubjectRecords {

  /** The longest lease and its proof: no reservation of a deleted subject is settled later. */
  private static final Duration STATE_KEPT = Duration.ofDays(2);

  private final ScriptRunner scripts;
  private final Keys keys;
  private final StoreClock clock;
  private final Retention retention;

  SubjectRecords(ScriptRunner scripts, Keys keys, StoreClock clock, Retention retention) {
    this.scripts = scripts;
    this.keys = keys;
    this.clock = clock;
    this.retention = retention;
  }

  private Arguments begin() {
    return new Arguments().add(clock.pinnedMillis());
  }

  /**
   * A record, and where the subject lies when it is not here.
   *
   * @param movedTo another root, or the subject itself when it is its own root again
   */
  private record Found(SubjectRecord record, @Nullable SubjectId movedTo) {

    boolean isRegistered() {
      return record.document() != null;
    }
  }

  /** Lines of an instant and what was before it. */
  private static List<Deferral> deferrals(String lines) {
    return lines
        .lines()
        .map(line -> line.split(" ", 2))
        .map(p -> new Deferral(Instant.ofEpochMilli(Long.parseLong(p[0])), p[1]))
        .toList();
  }

  private static String lines(List<Deferral> deferrals) {
    return deferrals.stream()
        .map(waiting -> waiting.changedAt().toEpochMilli() + " " + waiting.limitsBefore())
        .collect(Collectors.joining("\n"));
  }

  private Uni<Found> find(SubjectId root, SubjectId subject) {
    return scripts
        .send(Request.cmd(Command.HGETALL).arg(keys.subject(root, subject)))
        .map(
            response -> {
              Map<String, String> fields = RedisConfigurationStore.fields(response);
              String movedTo = fields.get("m");
              SubjectRecord record =
                  new SubjectRecord(
                      root,
                      Long.parseLong(fields.getOrDefault("v", "0")),
                      Long.parseLong(fields.getOrDefault("i", "0")),
                      fields.get("d"),
                      deferrals(fields.getOrDefault("p", "")));
              return new Found(record, movedTo == null ? null : new SubjectId(movedTo));
            });
  }

  Uni<SubjectRecord> at(SubjectId root, SubjectId subject) {
    return find(root, subject).map(Found::record);
  }

  /**
   * Follows the pointer in the subject's own slot. A move ends the old record and says where the
   * new one lies in one step, so that a reader finds one of them and never none; what a writer left
   * half done is completed here.
   */
  Uni<SubjectRecord> find(SubjectId subject) {
    return find(subject, subject)
        .chain(
            own ->
                own.movedTo() == null
                    ? Uni.createFrom().item(own.record())
                    : follow(subject, own, own.movedTo()));
  }

  Uni<List<SubjectId>> formerRoots(SubjectId subject) {
    String own = keys.subject(subject, subject);
    return scripts
        .send(Request.cmd(Command.HGET).arg(own).arg("f"))
        .map(
            found ->
                found == null ? List.of() : found.toString().lines().map(SubjectId::new).toList());
  }

  private Uni<SubjectRecord> follow(SubjectId subject, Found own, SubjectId root) {
    return find(root, subject)
        .chain(
            there -> {
              if (there.isRegistered()) {
                return Uni.createFrom().item(there.record());
              }
              SubjectId next = there.movedTo();
              return next == null || next.equals(subject)
                  ? point(subject, own.record(), subject).chain(() -> find(subject))
                  : follow(subject, own, next);
            });
  }

  Uni<Written> put(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId oldParent,
      String document,
      @Nullable SubjectId parent,
      SubjectId root,
      @Nullable Waiting waiting,
      Author author) {
    boolean moves = !Objects.equals(oldParent, parent);
    if (root.equals(before.root())) {
      long version = Math.abs(before.version()) + 1;
      return put(
          subject, before, version, document, moves, parent, oldParent, waiting, true, author);
    }
    return at(root, subject)
        .chain(there -> move(subject, before, oldParent, document, parent, there, author));
  }

  /**
   * What the end of a record means for the audit trail.
   *
   * @param operation empty = it is a step that is not recorded
   * @param version of the subject from then on; 0 = none
   * @param document likewise, empty = none
   */
  private record Ending(String operation, long version, String document, Author author) {

    static Ending step(Author author) {
      return new Ending("", 0, "", author);
    }

    static Ending deletion(Author author) {
      return new Ending("delete", 0, "", author);
    }

    static Ending move(long version, String document, Author author) {
      return new Ending("put", version, document, author);
    }
  }

  /**
   * Writes the record at the new root first, where nobody reads it yet, then ends the old one,
   * records the change and says in the same step where the new one lies, then turns the pointer. A
   * call that was decided with the old record is decided anew.
   */
  private Uni<Written> move(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId oldParent,
      String document,
      @Nullable SubjectId parent,
      SubjectRecord there,
      Author author) {
    long version = Math.max(Math.abs(before.version()), Math.abs(there.version())) + 1;
    SubjectRecord arrived =
        new SubjectRecord(there.root(), version, there.incarnation(), null, List.of());
    Ending moved = Ending.move(version, document, author);
    return put(subject, there, version, document, true, parent, null, null, false, author)
        .chain(
            put ->
                put.result() != Result.DONE
                    ? Uni.createFrom().item(put)
                    : end(subject, before, oldParent, before.incarnation(), there.root(), moved)
                        .chain(
                            ended ->
                                ended.result() == Result.DONE
                                    ? turn(subject, before.root(), there.root()).replaceWith(put)
                                    : end(
                                            subject,
                                            arrived,
                                            parent,
                                            there.incarnation(),
                                            null,
                                            Ending.step(author))
                                        .replaceWith(ended)));
  }

  /** Turns the pointer, unless the record that was ended lay beside it and has said all. */
  private Uni<Void> turn(SubjectId subject, SubjectId from, SubjectId to) {
    return from.equals(subject)
        ? Uni.createFrom().voidItem()
        : at(subject, subject).chain(own -> point(subject, own, to)).replaceWithVoid();
  }

  private Uni<Written> point(SubjectId subject, SubjectRecord own, SubjectId root) {
    Arguments arguments = begin().add(own.version()).add(root.equals(subject) ? "" : root.value());
    return scripts
        .run(Script.POINT_SUBJECT, List.of(keys.subject(subject, subject)), arguments)
        .map(reply -> new Written(RedisConfigurationStore.result(reply), 0));
  }

  private Uni<Written> put(
      SubjectId subject,
      SubjectRecord before,
      long version,
      String document,
      boolean moves,
      @Nullable SubjectId parent,
      @Nullable SubjectId oldParent,
      @Nullable Waiting waiting,
      boolean recorded,
      Author author) {
    SubjectId root = before.root();
    List<String> all =
        List.of(
            keys.subject(root, subject),
            keys.resources(root, subject, before.incarnation()),
            keys.members(root, parent == null ? subject : parent),
            keys.subject(root, parent == null ? subject : parent),
            keys.members(root, oldParent == null ? subject : oldParent),
            keys.members(root, subject),
            keys.trail(root, subject));
    Arguments arguments =
        begin()
            .add(subject.value())
            .add(before.version())
            .add(version)
            .add(before.incarnation())
            .add(document)
            .add(moves)
            .add(parent != null)
            .add(oldParent != null)
            .add(moves && root.equals(subject))
            .add(waiting == null ? "" : lines(waiting.earlier()))
            .add(waiting == null ? "" : waiting.limitsBefore())
            .add(recorded);
    return scripts
        .run(Script.PUT_SUBJECT, all, retention.with(author, arguments))
        .map(
            reply ->
                reply.status() == Status.WRITTEN
                    ? RedisConfigurationStore.written(reply)
                    : new Written(RedisConfigurationStore.result(reply), version));
  }

  Uni<Written> delete(
      SubjectId subject, SubjectRecord before, @Nullable SubjectId oldParent, Author author) {
    Ending deleted = Ending.deletion(author);
    return end(subject, before, oldParent, before.incarnation() + 1, null, deleted)
        .call(() -> find(subject));
  }

  /**
   * Ends a record.
   *
   * @param movedTo the root that the subject lies with from now on, which it may only without
   *     state; null when it ends
   */
  private Uni<Written> end(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId parent,
      long incarnation,
      @Nullable SubjectId movedTo,
      Ending ending) {
    String resources = keys.resources(before.root(), subject, before.incarnation());
    return scripts
        .send(Request.cmd(Command.SMEMBERS).arg(resources))
        .chain(used -> end(subject, before, parent, incarnation, movedTo, ending, resources, used));
  }

  private Uni<Written> end(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId parent,
      long incarnation,
      @Nullable SubjectId movedTo,
      Ending ending,
      String resources,
      @Nullable Response used) {
    SubjectId root = before.root();
    List<String> all = new ArrayList<>();
    all.add(keys.subject(root, subject));
    all.add(resources);
    all.add(keys.members(root, parent == null ? subject : parent));
    all.add(keys.members(root, subject));
    all.add(keys.trail(root, subject));
    if (used != null) {
      used.forEach(
          resource ->
              all.addAll(keys.ofState(root, subject, before.incarnation(), resource.toString())));
    }
    Arguments arguments =
        begin()
            .add(subject.value())
            .add(before.version())
            .add(incarnation)
            .add(movedTo != null)
            .add(parent != null)
            .add(STATE_KEPT)
            .add(movedTo == null ? "" : movedTo.value())
            .add(ending.operation())
            .add(ending.version())
            .add(ending.document());
    return scripts
        .run(Script.DELETE_SUBJECT, all, retention.with(ending.author(), arguments))
        .map(reply -> new Written(RedisConfigurationStore.result(reply), 0));
  }
}
