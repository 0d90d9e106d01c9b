package dev.tidegate.bench.faults;

import dev.tidegate.bench.replay.Load;
import dev.tidegate.bench.replay.ReplayException;
import dev.tidegate.bench.replay.TraceRow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One fault under load, and what is to be said of it afterwards. */
public final class Trial {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int SETTLED_BEFORE = 20;
  private static final int SUBJECTS = 6;

  private Trial() {}

  /**
   * What came of a trial.
   *
   * @param admitted calls that were admitted
   * @param settled those that were settled
   * @param troubles how often a call met the fault
   * @param recovery from the end of the fault until a call was admitted
   * @param charges keyed charges, each repeated until it was made
   * @param wrong what must not be; nothing when all is as it must be
   */
  public record Report(
      Fault fault,
      long admitted,
      long settled,
      long troubles,
      long charges,
      Duration recovery,
      List<String> wrong) {

    public Report {
      wrong = List.copyOf(wrong);
    }
  }

  /** Lets a fault happen under the load of these calls. */
  public static Report of(Stage stage, Fault fault, String name, List<TraceRow> rows, double speed)
      throws IOException, InterruptedException, ReplayException {
    try (Load load = Load.start(stage.base(), name, SUBJECTS, rows, speed, name.hashCode());
        KeyedCharges charges = KeyedCharges.start(stage.base(), name + "-keyed")) {
      stage.awaitSettlements(load, SETTLED_BEFORE);
      KeyedCharges.Made before = charges.made();
      Fault.Damage damage = fault.happen(stage, load);
      boolean lossless = damage.equals(Fault.Damage.NONE);
      Duration recovery = stage.awaitRecovery();
      List<String> wrong = new ArrayList<>();
      if (!load.await(PATIENCE)) {
        wrong.add("the load did not end");
      }
      wrong.addAll(charges.finish(lossless ? null : before));
      wrong.addAll(load.audit(damage.atLeast(), damage.atMost()));
      unsettled(load.unsettled(), lossless, wrong);
      return new Report(
          fault,
          load.admitted(),
          load.settled(),
          load.troubles(),
          charges.made().count(),
          recovery,
          wrong);
    }
  }

  /** What the store has forgotten cannot be settled; all else is, in the end. */
  private static void unsettled(Map<String, Long> unsettled, boolean lossless, List<String> wrong) {
    unsettled.forEach(
        (code, count) -> {
          if (lossless || !code.equals("reservation-not-found")) {
            wrong.add("%d calls were not settled: %s".formatted(count, code));
          }
        });
  }
}
