package dev.tidegate.bench.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.bench.replay.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Laws 11, 26, 27 and 29 under load: a short round of {@code ./tidegate faults}. */
class FaultsTest {

  private static final int ROWS = 150;
  private static final int ROWS_A_SECOND = 40;

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Stage stage;

  @BeforeAll
  static void open() throws IOException, InterruptedException {
    stage = Stage.open(folder);
  }

  @AfterAll
  static void close() {
    stage.close();
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void whatWasAcknowledgedIsThereAndNothingIsChargedTwice(Fault fault) throws Exception {
    var rows = Load.anyRows(ROWS, ROWS_A_SECOND, fault.name().hashCode());
    Trial.Report report = Trial.of(stage, fault, fault.name().toLowerCase(Locale.ROOT), rows, 1);
    assertEquals(List.of(), report.wrong());
    assertTrue(report.settled() > 0 && report.charges() > 0, report::toString);
  }
}
