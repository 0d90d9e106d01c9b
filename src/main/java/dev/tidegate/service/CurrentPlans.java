package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.document.Documents;
import dev.tidegate.document.PlanReader;
import dev.tidegate.document.Reading;
import dev.tidegate.domain.Plan;
import dev.tidegate.store.ConfigurationStore;
import dev.tidegate.store.ConfigurationStore.PlanRecord;
import dev.tidegate.store.StoreException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The plans as this process knows them. They are read again when a change is told, when a timer
 * finds that their generation has moved on, when a script has seen newer ones, and by a call that
 * finds that none of these has happened for {@link #MAX_AGE}.
 */
@ApplicationScoped
public class CurrentPlans {

  private static final Logger LOG = Logger.getLogger(CurrentPlans.class);

  /** A change counts after five seconds at the latest; reading the plans is part of them. */
  private static final Duration MAX_AGE = Duration.ofSeconds(4);

  private final ConfigurationStore store;
  private final @Nullable String configuredDefault;
  private final AtomicLong checkedNanos = new AtomicLong(System.nanoTime());
  private final LongAdder losses = new LongAdder();
  private final Map<Look, LongAdder> looks = new EnumMap<>(Look.class);
  private volatile Plans plans = Plans.NONE;

  /** When the store told last what it has; at first, when this process began to ask. */
  private volatile long seenNanos = System.nanoTime();

  /** The newest generation that the store has lost, as far as this process was told. */
  private volatile long lost;

  /** What came of a look at the plans of the store. */
  public enum Look {

    /** They were read, for they had changed. */
    CHANGED,

    /** They are as they were. */
    UNCHANGED,

    /** The store did not tell. */
    FAILED
  }

  CurrentPlans(ConfigurationStore store, TidegateSettings settings) {
    for (Look look : Look.values()) {
      looks.put(look, new LongAdder());
    }
    this.store = store;
    this.configuredDefault = settings.plans().defaultPlan().orElse(null);
  }

  /** The plans as they were read last. */
  Plans get() {
    return plans;
  }

  /** Whether they were read at all. */
  boolean isLoaded() {
    return plans.generation() >= 0;
  }

  /** How many plans are in force. */
  public int count() {
    return plans.byName().size();
  }

  /** The generation of those in force; -1 = none were ever read. */
  public long generation() {
    return plans.generation();
  }

  /** How long ago the store told last what it has, changed or not. */
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - seenNanos);
  }

  /** How many looks came to this. */
  public long looks(Look look) {
    return Objects.requireNonNull(looks.get(look)).sum();
  }

  /** How often the store was found to have lost what it had. */
  public long losses() {
    return losses.sum();
  }

  /** Tells that the store has lost what it had; it is the worst that can happen to quotas. */
  void noteLoss(String what) {
    losses.increment();
    LOG.warnf(
        "the store has lost what it had (%s): what was metered and granted since is gone", what);
  }

  /** Notes that the store was asked, in whatever way, and did not tell. */
  void noteFailure(Throwable failure) {
    note(Look.FAILED);
  }

  private void note(Look look) {
    Objects.requireNonNull(looks.get(look)).increment();
    if (look != Look.FAILED) {
      seenNanos = System.nanoTime();
    }
  }

  /**
   * The plans, checked within the last seconds as far as the store answers. Fails with a {@link
   * StoreException} if they were never read.
   */
  Uni<Plans> fresh() {
    long now = System.nanoTime();
    long checked = checkedNanos.get();
    if (!isLoaded()) {
      return refresh().map(ignored -> plans);
    }
    boolean isOld = now - checked > MAX_AGE.toNanos();
    return isOld && checkedNanos.compareAndSet(checked, now)
        ? refresh().map(ignored -> plans).onFailure(StoreException.class).recoverWithItem(plans)
        : Uni.createFrom().item(plans);
  }

  /** Reads the plans again if any has changed; whether one had. */
  Uni<Boolean> refresh() {
    return store
        .plansGeneration()
        .chain(
            generation ->
                generation == plans.generation()
                    ? Uni.createFrom().item(false)
                    : read().replaceWith(true))
        .invoke(
            changed -> {
              checkedNanos.set(System.nanoTime());
              note(changed ? Look.CHANGED : Look.UNCHANGED);
            })
        .onFailure()
        .invoke(failure -> note(Look.FAILED));
  }

  private void compare(long before, long generation) {
    if (generation < before) {
      noteLoss("the generation of its plans was %d".formatted(before));
    }
  }

  /** Reads the plans again, whatever their generation. */
  Uni<Void> reload() {
    return read().invoke(() -> note(Look.CHANGED)).onFailure().invoke(failure -> note(Look.FAILED));
  }

  private Uni<Void> read() {
    // An answer may be older than plans that were read meanwhile, but not than those of now.
    long before = plans.generation();
    return store
        .plans()
        .invoke(read -> compare(before, read.generation()))
        .invoke(read -> plans = parsed(read))
        .replaceWithVoid();
  }

  /**
   * Reads the plans again for a subject whose state was written with those of generation {@code
   * seen}. Where the store has lost those, the plans that it has are taken for as new.
   */
  Uni<Void> catchUp(long seen) {
    return plans.takenFor() >= seen
        ? Uni.createFrom().voidItem()
        : refresh().invoke(() -> takeForNew(seen)).replaceWithVoid();
  }

  private void takeForNew(long seen) {
    if (plans.takenFor() < seen) {
      noteLoss("a state was written with plans of generation %d".formatted(seen));
      lost = seen;
      plans = plans.takenFor(seen);
    }
  }

  private Plans parsed(ConfigurationStore.Plans read) {
    Map<String, StoredPlan> byName = new HashMap<>();
    read.byName().forEach((name, record) -> parse(name, record, byName));
    String standard = read.defaultPlan() == null ? configuredDefault : read.defaultPlan();
    return new Plans(read.generation(), read.generation(), standard, byName).takenFor(lost);
  }

  private static void parse(String name, PlanRecord record, Map<String, StoredPlan> into) {
    Reading<Plan> reading =
        Documents.parseJson(record.document(), Configuration.MAX_DOCUMENT_BYTES)
            .then(document -> PlanReader.plan(name, document));
    switch (reading) {
      case Reading.Valid<Plan>(Plan plan) ->
          into.put(
              name,
              new StoredPlan(plan, record.version(), record.managedByFile(), record.document()));
      case Reading.Invalid<Plan> invalid ->
          LOG.errorf("plan %s cannot be read and is left out: %s", name, invalid.faults());
    }
  }
}
