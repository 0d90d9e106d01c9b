package dev.tidegate.service;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.document.Documents;
import dev.tidegate.document.Fault;
import dev.tidegate.document.PlanReader;
import dev.tidegate.document.PlansFile;
import dev.tidegate.document.Reading;
import dev.tidegate.store.Author;
import dev.tidegate.store.ConfigurationStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Takes over the plans of a file. */
@ApplicationScoped
public class PlansImport {

  private static final Logger LOG = Logger.getLogger(PlansImport.class);
  private static final int MAX_BYTES = 8 << 20;

  private final ConfigurationStore store;
  private final TidegateSettings settings;
  private volatile @Nullable PlansFile read;

  PlansImport(ConfigurationStore store, TidegateSettings settings) {
    this.store = store;
    this.settings = settings;
  }

  /**
   * Reads the configured file, if there is one; it is imported by {@link #importIfNewer}.
   *
   * @throws IllegalStateException if the file cannot be read or is at fault; the message lists
   *     every fault
   */
  void readFile() {
    settings.plans().file().ifPresent(file -> read = read(Path.of(file)));
  }

  /**
   * Imports what was read when its revision is greater than the last one's: at start, and again
   * should the store have lost what it had.
   */
  public Uni<Void> importIfNewer() {
    PlansFile plans = read;
    return plans == null
        ? Uni.createFrom().voidItem()
        : store
            .importedRevision()
            .chain(
                stored ->
                    stored < plans.revision() ? importAll(plans) : Uni.createFrom().voidItem());
  }

  private Uni<Void> importAll(PlansFile plans) {
    TreeMap<String, String> documents = new TreeMap<>();
    plans.plans().forEach((name, plan) -> documents.put(name, plan.document().toString()));
    return store
        .importPlans(plans.revision(), plans.defaultPlan(), documents, author())
        .invoke(
            imported -> {
              if (imported) {
                LOG.infof("revision %d of the plans file is imported", plans.revision());
              }
            })
        .replaceWithVoid();
  }

  private Author author() {
    return Author.ofFile(settings.plans().file().orElse(""));
  }

  private static PlansFile read(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalStateException("the plans file " + file + " cannot be read: " + e, e);
    }
    Reading<PlansFile> reading = Documents.parseYaml(bytes, MAX_BYTES).then(PlanReader::plansFile);
    return switch (reading) {
      case Reading.Valid<PlansFile>(PlansFile plans) -> plans;
      case Reading.Invalid<PlansFile>(List<Fault> faults) ->
          throw new IllegalStateException(
              "the plans file " + file + " is refused:\n  " + listed(faults));
    };
  }

  private static String listed(List<Fault> faults) {
    return String.join("\n  ", faults.stream().map(Fault::toString).toList());
  }
}
