package dev.tidegate.store.redis;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans and subjects in Redis. */
final class RedisConfigurationStore implements ConfigurationStore {

  private static final long ANY_VERSION = -1;
  private static final int SCAN_COUNT = 1000;

  /** The longest lease and its proof: no reservation of a deleted subject is settled later. */
  private static final Duration STATE_KEPT = Duration.ofDays(2);

  private final ScriptRunner scripts;
  private final Keys keys;
  private final StoreClock clock;
  private final Multi<Change> changes;

  RedisConfigurationStore(
      ScriptRunner scripts, Keys keys, StoreClock clock, Multi<Change> changes) {
    this.scripts = scripts;
    this.keys = keys;
    this.clock = clock;
    this.changes = changes;
  }

  private Arguments begin() {
    return new Arguments().add(clock.pinnedMillis());
  }

  private Arguments beginOfPlans() {
    return begin().add(keys.changes());
  }

  @Override
  public Multi<Change> changes() {
    return changes;
  }

  @Override
  public Uni<Long> plansGeneration() {
    return scripts
        .send(Request.cmd(Command.HGET).arg(keys.plans()).arg("g"))
        .map(found -> found == null ? 0 : found.toLong());
  }

  @Override
  public Uni<Plans> plans() {
    return scripts
        .send(Request.cmd(Command.HGETALL).arg(keys.plans()))
        .map(RedisConfigurationStore::plansOf);
  }

  private static Plans plansOf(@Nullable Response response) {
    Map<String, String> fields = fields(response);
    Map<String, PlanRecord> plans = new HashMap<>();
    fields.forEach(
        (field, text) -> {
          if (field.startsWith("p:")) {
            String[] parts = text.split(" ", 3);
            plans.put(
                field.substring(2),
                new PlanRecord(Long.parseLong(parts[0]), parts[1].equals("file"), parts[2]));
          }
        });
    String defaultPlan = fields.getOrDefault("d", "");
    return new Plans(
        Long.parseLong(fields.getOrDefault("g", "0")),
        Long.parseLong(fields.getOrDefault("r", "0")),
        defaultPlan.isEmpty() ? null : defaultPlan,
        plans);
  }

  @Override
  public Uni<Written> putPlan(String name, String document, @Nullable Long ifVersion) {
    Arguments arguments =
        beginOfPlans().add(name).add(ifVersion == null ? ANY_VERSION : ifVersion).add(document);
    return scripts
        .run(Script.PUT_PLAN, List.of(keys.plans()), arguments.values())
        .map(RedisConfigurationStore::written);
  }

  @Override
  public Uni<Written> deletePlan(String name, @Nullable Long ifVersion) {
    Arguments arguments = beginOfPlans().add(name).add(ifVersion == null ? ANY_VERSION : ifVersion);
    return scripts
        .run(Script.DELETE_PLAN, List.of(keys.plans()), arguments.values())
        .map(
            reply ->
                reply.status() == Status.WRITTEN ? new Written(Result.DONE, 0) : written(reply));
  }

  @Override
  public Uni<Boolean> importPlans(
      long revision, @Nullable String defaultPlan, Map<String, String> plans) {
    Arguments arguments =
        beginOfPlans().add(revision).add(defaultPlan == null ? "" : defaultPlan).add(plans.size());
    plans.forEach((name, document) -> arguments.add(name).add(document));
    return scripts
        .run(Script.IMPORT_PLANS, List.of(keys.plans()), arguments.values())
        .map(reply -> reply.status() == Status.WRITTEN);
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

  private Uni<Found> find(SubjectId root, SubjectId subject) {
    return scripts
        .send(Request.cmd(Command.HGETALL).arg(keys.subject(root, subject)))
        .map(
            response -> {
              Map<String, String> fields = fields(response);
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

  @Override
  public Uni<SubjectRecord> subjectAt(SubjectId root, SubjectId subject) {
    return find(root, subject).map(Found::record);
  }

  /**
   * Follows the pointer in the subject's own slot. A move ends the old record and says where the
   * new one lies in one step, so that a reader finds one of them and never none; what a writer left
   * half done is completed here.
   */
  @Override
  public Uni<SubjectRecord> subject(SubjectId subject) {
    return find(subject, subject)
        .chain(
            own ->
                own.movedTo() == null
                    ? Uni.createFrom().item(own.record())
                    : follow(subject, own, own.movedTo()));
  }

  @Override
  public Uni<List<SubjectId>> formerRoots(SubjectId subject) {
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
                  ? point(subject, own.record(), subject).chain(() -> subject(subject))
                  : follow(subject, own, next);
            });
  }

  private static Map<String, String> fields(@Nullable Response response) {
    Map<String, String> fields = new HashMap<>();
    if (response != null) {
      for (String key : response.getKeys()) {
        fields.put(key, response.get(key).toString());
      }
    }
    return fields;
  }

  @Override
  public Uni<Written> putSubject(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId oldParent,
      String document,
      @Nullable SubjectId parent,
      SubjectId root,
      @Nullable String limitsBefore) {
    boolean moves = !Objects.equals(oldParent, parent);
    if (root.equals(before.root())) {
      long version = Math.abs(before.version()) + 1;
      return put(subject, before, version, document, moves, parent, oldParent, limitsBefore);
    }
    return subjectAt(root, subject)
        .chain(there -> move(subject, before, oldParent, document, parent, there));
  }

  /**
   * Writes the record at the new root first, where nobody reads it yet, then ends the old one and
   * says in the same step where the new one lies, then turns the pointer. A call that was decided
   * with the old record is decided anew.
   */
  private Uni<Written> move(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId oldParent,
      String document,
      @Nullable SubjectId parent,
      SubjectRecord there) {
    long version = Math.max(Math.abs(before.version()), Math.abs(there.version())) + 1;
    SubjectRecord arrived =
        new SubjectRecord(there.root(), version, there.incarnation(), null, List.of());
    return put(subject, there, version, document, true, parent, null, null)
        .chain(
            put ->
                put.result() != Result.DONE
                    ? Uni.createFrom().item(put)
                    : end(subject, before, oldParent, before.incarnation(), there.root())
                        .chain(
                            ended ->
                                ended.result() == Result.DONE
                                    ? turn(subject, before.root(), there.root()).replaceWith(put)
                                    : end(subject, arrived, parent, there.incarnation(), null)
                                        .replaceWith(ended)));
  }

  /** Turns the pointer, unless the record that was ended lay beside it and has said all. */
  private Uni<Void> turn(SubjectId subject, SubjectId from, SubjectId to) {
    return from.equals(subject)
        ? Uni.createFrom().voidItem()
        : subjectAt(subject, subject).chain(own -> point(subject, own, to)).replaceWithVoid();
  }

  private Uni<Written> point(SubjectId subject, SubjectRecord own, SubjectId root) {
    Arguments arguments = begin().add(own.version()).add(root.equals(subject) ? "" : root.value());
    return scripts
        .run(Script.POINT_SUBJECT, List.of(keys.subject(subject, subject)), arguments.values())
        .map(reply -> new Written(result(reply), 0));
  }

  private Uni<Written> put(
      SubjectId subject,
      SubjectRecord before,
      long version,
      String document,
      boolean moves,
      @Nullable SubjectId parent,
      @Nullable SubjectId oldParent,
      @Nullable String limitsBefore) {
    SubjectId root = before.root();
    List<String> all =
        List.of(
            keys.subject(root, subject),
            keys.resources(root, subject, before.incarnation()),
            keys.members(root, parent == null ? subject : parent),
            keys.subject(root, parent == null ? subject : parent),
            keys.members(root, oldParent == null ? subject : oldParent),
            keys.members(root, subject));
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
            .add(limitsBefore == null ? "" : limitsBefore);
    return scripts
        .run(Script.PUT_SUBJECT, all, arguments.values())
        .map(reply -> new Written(result(reply), version));
  }

  @Override
  public Uni<Written> deleteSubject(
      SubjectId subject, SubjectRecord before, @Nullable SubjectId oldParent) {
    return end(subject, before, oldParent, before.incarnation() + 1, null)
        .call(() -> subject(subject));
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
      @Nullable SubjectId movedTo) {
    String resources = keys.resources(before.root(), subject, before.incarnation());
    return scripts
        .send(Request.cmd(Command.SMEMBERS).arg(resources))
        .chain(used -> end(subject, before, parent, incarnation, movedTo, resources, used));
  }

  private Uni<Written> end(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId parent,
      long incarnation,
      @Nullable SubjectId movedTo,
      String resources,
      @Nullable Response used) {
    SubjectId root = before.root();
    List<String> all = new ArrayList<>();
    all.add(keys.subject(root, subject));
    all.add(resources);
    all.add(keys.members(root, parent == null ? subject : parent));
    all.add(keys.members(root, subject));
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
            .add(movedTo == null ? "" : movedTo.value());
    return scripts
        .run(Script.DELETE_SUBJECT, all, arguments.values())
        .map(reply -> new Written(result(reply), 0));
  }

  private static Written written(Reply reply) {
    return switch (reply.status()) {
      case WRITTEN, CONFLICT -> new Written(result(reply), reply.number());
      default -> new Written(result(reply), 0);
    };
  }

  private static Result result(Reply reply) {
    return switch (reply.status()) {
      case WRITTEN -> Result.DONE;
      case CONFLICT -> Result.VERSION_CONFLICT;
      case NOT_FOUND -> Result.NOT_FOUND;
      case HAS_STATE -> Result.HAS_STATE;
      case HAS_MEMBERS -> Result.HAS_MEMBERS;
      case NO_PARENT -> Result.NO_PARENT;
      case MANAGED_BY_FILE -> Result.MANAGED_BY_FILE;
      default -> throw reply.malformed("the status " + reply.status());
    };
  }

  @Override
  public Uni<@Nullable Instant> testClock() {
    return scripts
        .send(Request.cmd(Command.GET).arg(keys.testClock()))
        .map(
            found -> found == null ? null : Instant.ofEpochMilli(Long.parseLong(found.toString())));
  }

  @Override
  public Uni<Void> putTestClock(@Nullable Instant now) {
    Request request =
        now == null
            ? Request.cmd(Command.DEL).arg(keys.testClock())
            : Request.cmd(Command.SET).arg(keys.testClock()).arg(now.toEpochMilli());
    return scripts.send(request).replaceWithVoid();
  }

  @Override
  public Uni<Boolean> isEmptyOfState() {
    return Multi.createFrom()
        .iterable(keys.patternsOfState())
        .onItem()
        .transformToUniAndConcatenate(pattern -> hasMatch(pattern, "0"))
        .filter(found -> found)
        .collect()
        .first()
        .map(found -> found == null);
  }

  private Uni<Boolean> hasMatch(String pattern, String cursor) {
    Request request =
        Request.cmd(Command.SCAN)
            .arg(cursor)
            .arg("MATCH")
            .arg(pattern)
            .arg("COUNT")
            .arg(SCAN_COUNT);
    return scripts
        .send(request)
        .chain(
            page -> {
              if (page == null) {
                throw new StoreException("SCAN answered nothing", false);
              }
              if (page.get(1).size() > 0) {
                return Uni.createFrom().item(true);
              }
              String next = page.get(0).toString();
              return next.equals("0") ? Uni.createFrom().item(false) : hasMatch(pattern, next);
            });
  }
}
