package dev.tidegate.store;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** How the store is, as far as it tells. Failures are {@link StoreException}s. */
public interface StoreHealth {

  /** Opens all connections, so that no first call waits for one; fails where one cannot be. */
  Uni<Void> warmUp();

  /**
   * Asks every server for its settings; fails when one does not answer, or can never do what our
   * own settings want.
   */
  Uni<Condition> condition();

  /** Runs a script that only reads on every server; fails where one cannot run any. */
  Uni<Void> runScript();

  /** What is looked at. */
  enum Aspect {

    /** Whether what is stored may be thrown away for want of memory. */
    EVICTION,

    /** Whether what is stored outlives a server. */
    PERSISTENCE,

    /** Whether anything can be stored now. */
    WRITES
  }

  /** Whether one aspect is as it should be; the later ones are worse. */
  enum Safety {
    SAFE,

    /** The server does not tell. */
    UNKNOWN,
    UNSAFE
  }

  /**
   * What was found of one aspect.
   *
   * @param detail in a sentence, with what to do about it
   */
  record Finding(Aspect aspect, Safety safety, String detail) {}

  /**
   * The condition of all servers.
   *
   * @param findings one of each aspect, the worst of any server
   */
  record Condition(List<Finding> findings) {

    public Condition {
      findings = List.copyOf(findings);
    }

    /** What endangers what is stored, or keeps anything from being stored. */
    public List<Finding> concerns() {
      return findings.stream().filter(finding -> finding.safety() == Safety.UNSAFE).toList();
    }
  }
}
