package dev.tidegate.dev;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;

/** What a class logs, while this is open. */
public final class LogLines implements AutoCloseable {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler = new Listener(lines);
  private final Logger logger;

  /** Listens to what a class logs. */
  public LogLines(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(handler);
  }

  /** The messages so far, without what the log adds to them. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }

  private static final class Listener extends Handler {

    private static final PatternFormatter MESSAGE = new PatternFormatter("%s");

    private final List<String> lines;

    Listener(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public void publish(LogRecord record) {
      lines.add(MESSAGE.format(record));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
