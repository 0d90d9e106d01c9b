package dev.tidegate.dev;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Lets a process of ours stand still, and go on. */
public final class Signals {

  private Signals() {}

  /** Stops a process where it is; its sockets stay open. */
  public static void pause(long pid) {
    send("-STOP", pid);
  }

  /** Lets it go on. */
  public static void resume(long pid) {
    send("-CONT", pid);
  }

  private static void send(String signal, long pid) {
    try {
      int status = new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor();
      if (status != 0) {
        throw new IllegalStateException("kill %s %d ended with %d".formatted(signal, pid, status));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
