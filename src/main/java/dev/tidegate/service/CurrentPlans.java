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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The plans as this process knows them. They are read again when a change is told, when a timer
 * finds that their generation has moved on, when a script has seen newer ones, and by a call that
 * finds that none of these has happened for {@link #MAX_AGE}.
 */
@ApplicationScoped
class CurrentPlans {

  private static final Logger LOG = Logger.getLogger(CurrentPlans.class);

  /** A change counts after five seconds at the latest; reading the plans is part of them. */
  private static final Duration MAX_AGE = Duration.ofSeconds(4);

  private final ConfigurationStore store;
  private final @Nullable String configuredDefault;
  private final AtomicLong checkedNanos = new AtomicLong(System.nanoTime());
  private volatile Plans plans = Plans.NONE;

  /** The newest generation that the store has lost, as far as this process was told. */
  private volatile long lost;

  CurrentPlans(ConfigurationStore store, TidegateSettings settings) {
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
                    : reload().replaceWith(true))
        .invoke(() -> checkedNanos.set(System.nanoTime()));
  }

  /** Reads the plans again, whatever their generation. */
  Uni<Void> reload() {
    return store.plans().invoke(read -> plans = parsed(read)).replaceWithVoid();
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
      LOG.warnf("the store has lost the plans of generation %d", seen);
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
