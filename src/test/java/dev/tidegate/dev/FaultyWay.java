package dev.tidegate.dev;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A way to a server on a loopback port that can be made bad: answers are held back, or lost with
 * their connection, or nobody gets through at all.
 */
public final class FaultyWay implements AutoCloseable {

  private static final int CHUNK_BYTES = 1 << 16;

  private final ServerSocket entrance;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger toCut = new AtomicInteger();
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile int target;
  private volatile Duration delay = Duration.ZERO;
  private volatile boolean closed;

  private FaultyWay(ServerSocket entrance, int target) {
    this.entrance = entrance;
    this.target = target;
  }

  /** Opens a way to that port. */
  public static FaultyWay to(int port) {
    try {
      FaultyWay way =
          new FaultyWay(new ServerSocket(0, 512, InetAddress.getLoopbackAddress()), port);
      start(way::accept);
      return way;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The port that it is entered by. */
  public int port() {
    return entrance.getLocalPort();
  }

  /** Leads the connections that are made from now on to another port. */
  public void leadTo(int port) {
    target = port;
  }

  /** Holds every piece of every answer back for so long, one after the other. */
  public void delay(Duration held) {
    delay = held;
  }

  /** Ends the connections of the next {@code answers} answers in place of passing them on. */
  public void cut(int answers) {
    toCut.set(answers);
  }

  /** How many answers were lost so far. */
  public int cuts() {
    return cuts.get();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket caller = entrance.accept();
        start(() -> connect(caller));
      } catch (IOException over) {
        return;
      }
    }
  }

  private void connect(Socket caller) {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      caller.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      open.add(caller);
      open.add(server);
      start(() -> pass(caller, server, false));
      pass(server, caller, true);
    } catch (IOException refused) {
      end(caller);
    }
  }

  private void pass(Socket from, Socket to, boolean answers) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        if (answers && toCut.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          cuts.incrementAndGet();
          break;
        }
        if (answers && delay.isPositive()) {
          Thread.sleep(delay);
        }
        out.write(chunk, 0, read);
      }
    } catch (IOException broken) {
      // Either side is gone; so will be the other.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      end(from);
      end(to);
    }
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // As it should be.
    }
  }

  private static void start(Runnable work) {
    Thread.ofVirtual().start(work);
  }

  @Override
  public void close() {
    closed = true;
    try {
      entrance.close();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    Set.copyOf(open).forEach(this::end);
  }
}
