package dev.tidegate.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tidegate.config.TidegateSettings;
import dev.tidegate.document.Documents;
import dev.tidegate.document.PlanReader;
import dev.tidegate.document.Reading;
import dev.tidegate.domain.Limit;
import dev.tidegate.domain.LimitOverride;
import dev.tidegate.domain.Plan;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.Subject;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.RegionZones;
import dev.tidegate.service.Answer.Missing;
import dev.tidegate.service.Resolved.ResolvedLevel;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.ConfigurationStore.SubjectRecord;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.StoreException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What is configured, as this process knows it. A subject's record is checked by every script, so
 * that a stale one is noticed at the call that it would have decided.
 */
@ApplicationScoped
public class Configuration {

  private static final Logger LOG = Logger.getLogger(Configuration.class);
  static final int MAX_DOCUMENT_BYTES = 1 << 20;
  private static final int MAX_SUBJECTS = 100_000;
  private static final Duration KEPT = Duration.ofMinutes(10);

  private final ConfigurationStore store;
  private final CurrentPlans plans;
  private final boolean needsStore;
  private final ZoneId zone;
  private final Cache<SubjectId, StoredSubject> subjects =
      Caffeine.newBuilder().maximumSize(MAX_SUBJECTS).expireAfterWrite(KEPT).build();

  Configuration(ConfigurationStore store, CurrentPlans plans, TidegateSettings settings) {
    this.store = store;
    this.plans = plans;
    this.needsStore = settings.redis().readiness();
    this.zone = RegionZones.parse(settings.zone());
  }

  /** The zone of subjects that name none. */
  public ZoneId zone() {
    return zone;
  }

  /** The plans as this process knows them. */
  Plans plans() {
    return plans.get();
  }

  /** Whether the plans were read from the store at all. */
  public boolean isLoaded() {
    return plans.isLoaded();
  }

  /** Whether the plans were read and, where the settings want that, the store answers. */
  public Uni<Boolean> isReady() {
    return isLoaded() && needsStore
        ? store
            .plansGeneration()
            .replaceWith(true)
            .onFailure(StoreException.class)
            .recoverWithItem(false)
        : Uni.createFrom().item(isLoaded());
  }

  /** Reads the plans again if any has changed; whether one had. */
  public Uni<Boolean> refreshPlans() {
    return plans.refresh();
  }

  /**
   * Reads the plans again and forgets all else, as changes may have gone unnoticed. A store that
   * goes away meanwhile takes nothing with it of what is known.
   */
  Uni<Void> startAfresh() {
    return plans.reload().invoke(() -> subjects.invalidateAll());
  }

  /** Forgets what a script found out of date in a call of {@code subject}. */
  Uni<Void> renew(SubjectId subject, long plansSeen) {
    forget(subject);
    return plans.catchUp(plansSeen);
  }

  /** Forgets what is known of a subject and its parents. */
  void forget(SubjectId subject) {
    @Nullable SubjectId next = subject;
    for (int n = 0; next != null && n < Subject.MAX_LEVELS; n++) {
      StoredSubject known = subjects.getIfPresent(next);
      subjects.invalidate(next);
      next = known == null ? null : known.subject().parent();
    }
  }

  /** What is known of a subject. */
  public Uni<StoredSubject> subject(SubjectId id) {
    StoredSubject known = subjects.getIfPresent(id);
    return known != null
        ? Uni.createFrom().item(known)
        : store.subject(id).map(record -> remember(id, record));
  }

  /** The roots in whose slots a subject may have left an audit trail, the present one first. */
  Uni<List<SubjectId>> rootsOf(SubjectId id, SubjectId root) {
    return store
        .formerRoots(id)
        .map(former -> Stream.concat(Stream.of(root, id), former.stream()).distinct().toList());
  }

  private Uni<StoredSubject> parent(SubjectId id, SubjectId root) {
    StoredSubject known = subjects.getIfPresent(id);
    return known != null && known.record().root().equals(root)
        ? Uni.createFrom().item(known)
        : store.subjectAt(root, id).map(record -> remember(id, record));
  }

  private StoredSubject remember(SubjectId id, SubjectRecord record) {
    List<DeferredChange> deferred = record.deferrals().stream().map(DeferredChange::of).toList();
    StoredSubject stored = new StoredSubject(record, parsed(id, record), deferred);
    subjects.put(id, stored);
    return stored;
  }

  private static Subject parsed(SubjectId id, SubjectRecord record) {
    if (record.document() == null) {
      return Subject.UNREGISTERED;
    }
    Reading<Subject> reading =
        Documents.parseJson(record.document(), MAX_DOCUMENT_BYTES).then(PlanReader::subject);
    return switch (reading) {
      case Reading.Valid<Subject>(Subject subject) -> subject;
      case Reading.Invalid<Subject> invalid -> {
        LOG.errorf("the record of a subject cannot be read: %s: %s", id, invalid.faults());
        yield Subject.UNREGISTERED;
      }
    };
  }

  /** A subject and its parents, the subject first. */
  Uni<List<Member>> chain(SubjectId id) {
    return subject(id).chain(stored -> chain(new ArrayList<>(), id, stored));
  }

  /** A subject in a chain. */
  record Member(SubjectId id, StoredSubject stored) {}

  private Uni<List<Member>> chain(List<Member> below, SubjectId id, StoredSubject stored) {
    below.add(new Member(id, stored));
    SubjectId above = stored.subject().parent();
    if (above == null || below.size() == Subject.MAX_LEVELS) {
      return Uni.createFrom().item(below);
    }
    return parent(above, stored.record().root()).chain(next -> chain(below, above, next));
  }

  /** What applies to a subject on a resource, which may be named by an alias. */
  Uni<Resolution> resolve(SubjectId id, String resource) {
    return plans
        .fresh()
        .chain(current -> chain(id).map(chain -> resolve(current, chain, resource)));
  }

  /** The same without the store: null where the process does not know enough. */
  @Nullable Resolution resolveKnown(SubjectId id, String resource) {
    List<Member> chain = new ArrayList<>();
    @Nullable SubjectId next = id;
    while (next != null && chain.size() < Subject.MAX_LEVELS) {
      StoredSubject known = subjects.getIfPresent(next);
      if (known == null) {
        return null;
      }
      chain.add(new Member(next, known));
      next = known.subject().parent();
    }
    return isLoaded() ? resolve(plans.get(), chain, resource) : null;
  }

  private Resolution resolve(Plans current, List<Member> chain, String resource) {
    Member self = chain.getFirst();
    Plan plan = planOf(current, self);
    if (plan == null) {
      return self.stored().isRegistered()
          ? new Resolution.Absent(
              Missing.PLAN,
              "the subject's plan does not exist and there is no default plan",
              self.stored().record())
          : new Resolution.Absent(
              Missing.SUBJECT,
              "nobody registered this subject and there is no default plan",
              self.stored().record());
    }
    ResourceRules own = plan.resource(resource);
    if (own == null) {
      return new Resolution.Absent(
          Missing.RESOURCE,
          "the plan '" + plan.name() + "' has no such resource",
          self.stored().record());
    }
    List<ResolvedLevel> levels = new ArrayList<>();
    for (Member member : chain) {
      Plan applying = planOf(current, member);
      ResourceRules rules = applying == null ? null : applying.resources().get(own.name());
      if (applying != null && rules != null) {
        levels.add(level(member, applying.name(), rules));
      }
    }
    return new Resolution.Found(
        new Resolved(self.stored().record().root(), own.name(), levels, current.takenFor()));
  }

  private static @Nullable Plan planOf(Plans current, Member member) {
    return current.applyingTo(member.stored().subject().plan());
  }

  private ResolvedLevel level(Member member, String plan, ResourceRules rules) {
    Subject subject = member.stored().subject();
    SubjectRecord record = member.stored().record();
    return new ResolvedLevel(
        member.id(),
        plan,
        record.version(),
        record.incarnation(),
        subject.zone() == null ? zone : subject.zone(),
        overridden(rules, subject),
        deferrals(member.stored().deferred(), rules.name()),
        subject.disabled() || subject.disabledResources().contains(rules.name()));
  }

  private static Map<String, List<LimitTerms.Deferral>> deferrals(
      List<DeferredChange> changes, String resource) {
    Map<String, List<LimitTerms.Deferral>> byLimit = new HashMap<>();
    for (DeferredChange change : changes) {
      change
          .before()
          .getOrDefault(resource, Map.of())
          .forEach(
              (limit, amount) ->
                  byLimit
                      .computeIfAbsent(limit, first -> new ArrayList<>())
                      .add(new LimitTerms.Deferral(change.at(), amount.amount())));
    }
    return byLimit;
  }

  /** The rules with the subject's overrides; one of a limit that the plan lacks says nothing. */
  static ResourceRules overridden(ResourceRules rules, Subject subject) {
    Map<String, LimitOverride> overrides = subject.overrides().getOrDefault(rules.name(), Map.of());
    if (overrides.isEmpty()) {
      return rules;
    }
    List<Limit> limits = new ArrayList<>();
    for (Limit limit : rules.limits()) {
      LimitOverride override = overrides.get(limit.name());
      limits.add(override == null ? limit : override.appliedTo(limit));
    }
    return new ResourceRules(
        rules.name(),
        rules.aliases(),
        rules.meters(),
        rules.usage(),
        rules.defaultEstimate(),
        rules.hold(),
        limits);
  }
}
