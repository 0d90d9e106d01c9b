package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.document.Documents;
import dev.tidegate.document.Fault;
import dev.tidegate.document.PlanReader;
import dev.tidegate.document.PlansFile;
import dev.tidegate.document.Reading;
import dev.tidegate.document.WatchedFile;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes over the plans of a file: those that it has at start, and each later version with a greater
 * revision. A version that is at fault is refused whole, and the one before it stays.
 */
@ApplicationScoped
public class PlansImport {

  private static final Logger LOG = Logger.getLogger(PlansImport.class);
  private static final int MAX_BYTES = 8 << 20;

  private final ConfigurationStore store;
  private final CurrentPlans known;
  private final Author author;
  private final @Nullable WatchedFile file;
  private volatile @Nullable Accepted accepted;
  private volatile long toldOf;

  /** The revision that the store is known to have, or to have had. */
  private volatile long seen;

  /** Whether the store has the revision of the file already, with other plans. */
  private volatile boolean differs;

  /**
   * A version of the file that is in force, or would be but for a greater revision in the store.
   *
   * @param at when this process took it over
   */
  private record Accepted(PlansFile plans, Instant at) {}

  PlansImport(ConfigurationStore store, CurrentPlans known, TidegateSettings settings) {
    this.known = known;
    this.store = store;
    this.author = Author.ofFile(settings.plans().file().orElse(""));
    this.file =
        settings
            .plans()
            .file()
            .map(path -> new WatchedFile("the plans file", Path.of(path), MAX_BYTES))
            .orElse(null);
  }

  /**
   * Reads the configured file, if there is one; it is imported by {@link #importIfNewer}.
   *
   * @throws IllegalArgumentException if the file cannot be read or is at fault; the message lists
   *     every fault
   */
  void readFile() {
    if (file != null) {
      accept(file.readFirst(PlansImport::read));
    }
  }

  /**
   * Reads the file again, if there is one, and accepts what is new in it; it is imported by {@link
   * #importIfNewer}. What is at fault is refused: the log says where. It blocks on the disk.
   */
  public void refresh() {
    PlansFile changed = file == null ? null : file.readChanged(this::readNewer);
    if (changed != null) {
      accept(changed);
      LOG.infof("revision %d of the plans file is accepted", changed.revision());
    }
  }

  private void accept(PlansFile plans) {
    accepted = new Accepted(plans, Instant.now());
    differs = false;
  }

  /** The revision of the file that was accepted last; 0 = there is no file. */
  public long revision() {
    Accepted last = accepted;
    return last == null ? 0 : last.plans().revision();
  }

  /** When the version of the file that was accepted last was; null = there is no file. */
  public @Nullable Instant acceptedAt() {
    Accepted last = accepted;
    return last == null ? null : last.at();
  }

  /** Whether the file, as it is now, is refused: at fault, or with a revision that is another's. */
  public boolean isFileRefused() {
    return differs || (file != null && file.isRefused());
  }

  /** How many versions of the file were refused. */
  public long refusals() {
    return file == null ? 0 : file.refusals();
  }

  /**
   * Imports what was accepted when its revision is greater than the last one's: at start, after a
   * change, and again should the store have lost what it had.
   */
  public Uni<Void> importIfNewer() {
    Accepted last = accepted;
    long before = seen;
    return last == null
        ? Uni.createFrom().voidItem()
        : store
            .importedRevision()
            .invoke(stored -> compare(before, stored))
            .chain(
                stored ->
                    stored < last.plans().revision()
                        ? importAll(last.plans())
                        : leave(last.plans(), stored));
  }

  /**
   * An answer may be older than what was seen meanwhile, but not than what was when it was asked
   * for.
   */
  private synchronized void compare(long before, long stored) {
    if (stored < before) {
      known.noteLoss("revision %d of the plans file was imported".formatted(before));
      seen = stored;
    } else {
      seen = Math.max(seen, stored);
    }
  }

  private synchronized void imported(PlansFile plans) {
    seen = Math.max(seen, plans.revision());
    differs = false;
    LOG.infof("revision %d of the plans file is imported", plans.revision());
  }

  /** The log says once of each revision why it is not imported. */
  private Uni<Void> leave(PlansFile plans, long stored) {
    long revision = plans.revision();
    if (toldOf == revision) {
      return Uni.createFrom().voidItem();
    }
    if (stored > revision) {
      toldOf = revision;
      LOG.warnf(
          "revision %d of the plans file is not imported: the store has revision %d already",
          revision, stored);
      return Uni.createFrom().voidItem();
    }
    return store.plans().invoke(there -> compare(plans, there)).replaceWithVoid();
  }

  private void compare(PlansFile plans, ConfigurationStore.Plans there) {
    toldOf = plans.revision();
    differs =
        there.revision() == toldOf
            && !(documents(plans).equals(ownedByFile(there))
                && Objects.equals(plans.defaultPlan(), there.defaultPlan()));
    if (differs) {
      LOG.errorf(
          "revision %d of the plans file is refused: it was imported with other plans, which stay;"
              + " give the file a greater revision",
          toldOf);
    }
  }

  private static Map<String, String> ownedByFile(ConfigurationStore.Plans there) {
    TreeMap<String, String> documents = new TreeMap<>();
    there
        .byName()
        .forEach(
            (name, plan) -> {
              if (plan.managedByFile()) {
                documents.put(name, plan.document());
              }
            });
    return documents;
  }

  private static Map<String, String> documents(PlansFile plans) {
    TreeMap<String, String> documents = new TreeMap<>();
    plans.plans().forEach((name, plan) -> documents.put(name, plan.document().toString()));
    return documents;
  }

  private Uni<Void> importAll(PlansFile plans) {
    return store
        .importPlans(plans.revision(), plans.defaultPlan(), documents(plans), author)
        .invoke(
            imported -> {
              if (imported) {
                imported(plans);
              }
            })
        .replaceWithVoid();
  }

  private PlansFile readNewer(byte[] content) {
    PlansFile found = read(content);
    if (found.revision() <= revision()) {
      throw new IllegalArgumentException(
          "$.revision must be greater than "
              + revision()
              + ", that of the version before, for anything to change");
    }
    return found;
  }

  private static PlansFile read(byte[] content) {
    Reading<PlansFile> reading =
        Documents.parseYaml(content, MAX_BYTES).then(PlanReader::plansFile);
    return switch (reading) {
      case Reading.Valid<PlansFile>(PlansFile plans) -> plans;
      case Reading.Invalid<PlansFile>(List<Fault> faults) ->
          throw new IllegalArgumentException(
              String.join("; ", faults.stream().map(Fault::toString).toList()));
    };
  }
}
