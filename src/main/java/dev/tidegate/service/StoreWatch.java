package dev.tidegate.service;

import dev.tidegate.store.StoreHealth;
import dev.tidegate.store.StoreHealth.Condition;
import dev.tidegate.store.StoreHealth.Finding;
import dev.tidegate.store.StoreHealth.Safety;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Looks at how the store is set up, and tells of all that endangers what is, or is to be, stored.
 */
@ApplicationScoped
public class StoreWatch {

  private static final Logger LOG = Logger.getLogger(StoreWatch.class);

  private final StoreHealth health;
  private volatile List<Finding> told = List.of();

  StoreWatch(StoreHealth health) {
    this.health = health;
  }

  /** Opens all connections, so that no first call waits for one; fails where one cannot be. */
  Uni<Void> warmUp() {
    return health.warmUp();
  }

  /** Looks at every server; what is not as it should be is logged when it has changed. */
  public Uni<Condition> look() {
    return health.condition().invoke(this::tell);
  }

  private void tell(Condition condition) {
    List<Finding> found =
        condition.findings().stream().filter(finding -> finding.safety() != Safety.SAFE).toList();
    found.stream()
        .filter(finding -> !told.contains(finding))
        .forEach(
            finding ->
                LOG.log(
                    finding.safety() == Safety.UNSAFE ? Logger.Level.WARN : Logger.Level.INFO,
                    finding.detail()));
    told = found;
  }

  /** How many aspects of the store were not as they should be when they were looked at last. */
  public int concerns() {
    return (int) told.stream().filter(finding -> finding.safety() == Safety.UNSAFE).count();
  }

  /** Runs a script that only reads on every server; fails where one cannot run any. */
  public Uni<Void> runScript() {
    return health.runScript();
  }
}
