package dev.tidegate.bench.replay;

import static dev.tidegate.bench.replay.Table.count;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Shows how far a replay is: a bar that moves on a terminal, else a line every few seconds. */
final class Progress {

  private static final int BAR_WIDTH = 24;
  private static final long TERMINAL_PAUSE_MILLIS = 200;
  private static final long PLAIN_PAUSE_MILLIS = 5_000;
  private static final String START_OF_CLEARED_LINE = "\r\033[K";

  private final Tally tally;
  private final int rows;
  private final boolean terminal;
  private final PrintStream out;
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread thread = new Thread(this::show, "progress");

  private Progress(Tally tally, int rows, boolean terminal, PrintStream out) {
    this.tally = tally;
    this.rows = rows;
    this.terminal = terminal;
    this.out = out;
  }

  /** Shows the tally while the work is done. */
  static void during(Tally tally, int rows, boolean terminal, PrintStream out, Runnable work) {
    Progress progress = new Progress(tally, rows, terminal, out);
    progress.thread.setDaemon(true);
    progress.thread.start();
    try {
      work.run();
    } finally {
      progress.end();
    }
  }

  private void show() {
    try {
      while (!done.await(
          terminal ? TERMINAL_PAUSE_MILLIS : PLAIN_PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        if (terminal) {
          out.print(START_OF_CLEARED_LINE + bar(tally.started.sum()) + " " + line());
          out.flush();
        } else {
          out.println(line());
        }
      }
      if (terminal) {
        out.print(START_OF_CLEARED_LINE);
        out.flush();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private String bar(long started) {
    int filled = (int) (BAR_WIDTH * started / rows);
    return "[" + "#".repeat(filled) + ".".repeat(BAR_WIDTH - filled) + "]";
  }

  private String line() {
    long started = tally.started.sum();
    return "%3d %%  %s of %s rows, %s admitted, %s denied, %s running"
        .formatted(
            100 * started / rows,
            count(started),
            count(rows),
            count(tally.admitted.sum()),
            count(tally.deniedTotal()),
            count(started - tally.finished.sum()));
  }

  private void end() {
    done.countDown();
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
