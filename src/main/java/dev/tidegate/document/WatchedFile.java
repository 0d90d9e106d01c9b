package dev.tidegate.document;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A small file that others replace while the service runs. It is compared by content: a mounted
 * Secret or ConfigMap changes by a link, and its times tell little.
 */
public final class WatchedFile {

  private static final Logger LOG = Logger.getLogger(WatchedFile.class);

  private final String what;
  private final Path path;
  private final int maxBytes;
  private byte[] seen = {};
  private byte[] accepted = {};
  private String refusedFor = "";
  private volatile boolean refused;
  private final AtomicLong refusals = new AtomicLong();

  /**
   * @param what the file is, for messages
   * @param maxBytes the greatest size in bytes, inclusive
   */
  public WatchedFile(String what, Path path, int maxBytes) {
    this.what = what;
    this.path = path;
    this.maxBytes = maxBytes;
  }

  /**
   * Reads the file for the first time.
   *
   * @param reader throws {@link IllegalArgumentException} on content that is at fault
   * @throws IllegalArgumentException if the file cannot be read or is at fault; the message names
   *     it and says why
   */
  public synchronized <T> T readFirst(Function<byte[], T> reader) {
    try {
      seen = content();
      T read = reader.apply(seen);
      accepted = seen;
      return read;
    } catch (IOException | IllegalArgumentException fault) {
      throw new IllegalArgumentException(what + " " + path + ": " + reason(fault), fault);
    }
  }

  /**
   * Reads the file again: null when its content is what it was, or cannot be taken over. Then the
   * log says why, once for each reason.
   */
  public synchronized <T> @Nullable T readChanged(Function<byte[], T> reader) {
    try {
      byte[] found = content();
      if (Arrays.equals(found, accepted)) {
        seen = found;
        accept();
        return null;
      }
      if (Arrays.equals(found, seen)) {
        return null;
      }
      seen = found;
      T read = reader.apply(found);
      accepted = found;
      accept();
      return read;
    } catch (IOException fault) {
      if (!reason(fault).equals(refusedFor)) {
        refuse(reason(fault));
      }
      return null;
    } catch (IllegalArgumentException fault) {
      refuse(reason(fault));
      return null;
    }
  }

  private void accept() {
    refusedFor = "";
    refused = false;
  }

  private void refuse(String reason) {
    if (!reason.equals(refusedFor)) {
      LOG.errorf("%s %s is refused, the version before it stays: %s", what, path, reason);
    }
    refusedFor = reason;
    refused = true;
    refusals.incrementAndGet();
  }

  /** Whether the file, as it is now, is at fault or away, so that an earlier version counts. */
  public boolean isRefused() {
    return refused;
  }

  /** How often a version was refused. */
  public long refusals() {
    return refusals.get();
  }

  private byte[] content() throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] content = in.readNBytes(maxBytes + 1);
      if (content.length > maxBytes) {
        throw new IOException("it has more than " + maxBytes + " bytes");
      }
      return content;
    }
  }

  private static String reason(Exception fault) {
    return fault instanceof IllegalArgumentException ? "" + fault.getMessage() : "" + fault;
  }
}
