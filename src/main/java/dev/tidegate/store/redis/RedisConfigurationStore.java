package dev.tidegate.store.redis;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.StoreClock;
import dev.tidegate.store.StoreException;
import dev.tidegate.store.StoreException.Kind;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans and subjects in Redis. */
final class RedisConfigurationStore implements ConfigurationStore {

  private static final long ANY_VERSION = -1;
  private static final int SCAN_COUNT = 1000;

  private final ScriptRunner scripts;
  private final Keys keys;
  private final StoreClock clock;
  private final Retention retention;
  private final SubjectRecords subjects;
  private final Multi<Change> changes;

  RedisConfigurationStore(
      ScriptRunner scripts,
      Keys keys,
      StoreClock clock,
      Retention retention,
      Multi<Change> changes) {
    this.scripts = scripts;
    this.keys = keys;
    this.clock = clock;
    this.retention = retention;
    this.subjects = new SubjectRecords(scripts, keys, clock, retention);
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
  public Uni<Long> importedRevision() {
    return scripts
        .send(Request.cmd(Command.HGET).arg(keys.plans()).arg("r"))
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

  private List<String> keysOfPlans() {
    return List.of(keys.plans(), keys.planTrail());
  }

  @Override
  public Uni<Written> putPlan(
      String name, String document, @Nullable Long ifVersion, Author author) {
    Arguments arguments =
        beginOfPlans().add(name).add(ifVersion == null ? ANY_VERSION : ifVersion).add(document);
    return scripts
        .run(Script.PUT_PLAN, keysOfPlans(), retention.with(author, arguments))
        .map(RedisConfigurationStore::written);
  }

  @Override
  public Uni<Written> deletePlan(String name, @Nullable Long ifVersion, Author author) {
    Arguments arguments = beginOfPlans().add(name).add(ifVersion == null ? ANY_VERSION : ifVersion);
    return scripts
        .run(Script.DELETE_PLAN, keysOfPlans(), retention.with(author, arguments))
        .map(
            reply ->
                reply.status() == Status.WRITTEN ? new Written(Result.DONE, 0) : written(reply));
  }

  @Override
  public Uni<Boolean> importPlans(
      long revision, @Nullable String defaultPlan, Map<String, String> plans, Author author) {
    Arguments arguments =
        beginOfPlans().add(revision).add(defaultPlan == null ? "" : defaultPlan).add(plans.size());
    plans.forEach((name, document) -> arguments.add(name).add(document));
    return scripts
        .run(Script.IMPORT_PLANS, keysOfPlans(), retention.with(author, arguments))
        .map(reply -> reply.status() == Status.WRITTEN);
  }

  @Override
  public Uni<SubjectRecord> subjectAt(SubjectId root, SubjectId subject) {
    return subjects.at(root, subject);
  }

  @Override
  public Uni<SubjectRecord> subject(SubjectId subject) {
    return subjects.find(subject);
  }

  @Override
  public Uni<List<SubjectId>> formerRoots(SubjectId subject) {
    return subjects.formerRoots(subject);
  }

  @Override
  public Uni<Written> putSubject(
      SubjectId subject,
      SubjectRecord before,
      @Nullable SubjectId oldParent,
      String document,
      @Nullable SubjectId parent,
      SubjectId root,
      @Nullable Waiting waiting,
      Author author) {
    return subjects.put(subject, before, oldParent, document, parent, root, waiting, author);
  }

  @Override
  public Uni<Written> deleteSubject(
      SubjectId subject, SubjectRecord before, @Nullable SubjectId oldParent, Author author) {
    return subjects.delete(subject, before, oldParent, author);
  }

  static Map<String, String> fields(@Nullable Response response) {
    Map<String, String> fields = new HashMap<>();
    if (response != null) {
      for (String key : response.getKeys()) {
        fields.put(key, response.get(key).toString());
      }
    }
    return fields;
  }

  static Written written(Reply reply) {
    return switch (reply.status()) {
      case WRITTEN, CONFLICT -> new Written(result(reply), reply.number());
      default -> new Written(result(reply), 0);
    };
  }

  static Result result(Reply reply) {
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
    return scripts
        .perServer()
        .onItem()
        .transformToMulti(servers -> Multi.createFrom().iterable(servers))
        .onItem()
        .transformToUniAndConcatenate(this::hasState)
        .filter(found -> found)
        .collect()
        .first()
        .map(found -> found == null);
  }

  private Uni<Boolean> hasState(ScriptRunner server) {
    return Multi.createFrom()
        .iterable(keys.patternsOfState())
        .onItem()
        .transformToUniAndConcatenate(pattern -> hasMatch(server, pattern, "0"))
        .filter(found -> found)
        .collect()
        .first()
        .map(found -> found != null);
  }

  private static Uni<Boolean> hasMatch(ScriptRunner server, String pattern, String cursor) {
    Request request =
        Request.cmd(Command.SCAN)
            .arg(cursor)
            .arg("MATCH")
            .arg(pattern)
            .arg("COUNT")
            .arg(SCAN_COUNT);
    return server
        .send(request)
        .chain(
            page -> {
              if (page == null) {
                throw new StoreException(Kind.FAULT, "SCAN answered nothing");
              }
              if (page.get(1).size() > 0) {
                return Uni.createFrom().item(true);
              }
              String next = page.get(0).toString();
              return next.equals("0")
                  ? Uni.createFrom().item(false)
                  : hasMatch(server, pattern, next);
            });
  }
}
