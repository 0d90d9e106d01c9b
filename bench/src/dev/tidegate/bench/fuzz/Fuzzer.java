package dev.tidegate.bench.fuzz;

import dev.tidegate.http.Contract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends malformed requests to a service and looks at each answer: it must be a refusal of the
 * caller's fault that the contract has, and nothing in Redis may be another than before.
 */
public final class Fuzzer {

  private static final int CALLERS = 4;
  private static final int BATCH = 1_000;
  private static final int MOST_TOLD = 20;
  private static final int MOST_TEXT = 200;

  /** How a call is refused that is not as the contract has it. */
  private static final Set<Integer> MALFORMED = Set.of(400, 401, 403, 404, 405, 413, 415);

  private final Contract contract = Contract.PUBLISHED;
  private final List<Operation> operations = Operation.of(contract.document());
  private final int port;
  private final Supplier<String> digest;
  private final Setting setting;

  private Fuzzer(int port, Supplier<String> digest, Setting setting) {
    this.port = port;
    this.digest = digest;
    this.setting = setting;
  }

  /**
   * Prepares a plan and subjects to ask about.
   *
   * @param port where the service listens on loopback, with the demo's keys and a test clock
   * @param digest of all that its Redis holds
   */
  public static Fuzzer of(int port, Supplier<String> digest) throws IOException {
    try (Wire wire = new Wire(port)) {
      return new Fuzzer(port, digest, Setting.on(wire));
    }
  }

  /**
   * What came of it.
   *
   * @param statuses how many answers had each; 0 = the connection was closed without one
   * @param faults how many requests had each fault
   * @param operations how many requests were meant for each
   * @param wrong what was not as it must be, the first of it
   * @param wrongs how much of it there was
   */
  public record Report(
      Map<Integer, Integer> statuses,
      Map<String, Integer> faults,
      Map<String, Integer> operations,
      List<String> wrong,
      int wrongs) {

    static Report none() {
      return new Report(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), List.of(), 0);
    }

    Report with(Report other) {
      List<String> told = new ArrayList<>(wrong);
      told.addAll(other.wrong);
      return new Report(
          summed(statuses, other.statuses),
          summed(faults, other.faults),
          summed(operations, other.operations),
          List.copyOf(told.subList(0, Math.min(MOST_TOLD, told.size()))),
          wrongs + other.wrongs);
    }

    private static <K> Map<K, Integer> summed(Map<K, Integer> one, Map<K, Integer> other) {
      Map<K, Integer> sum = new TreeMap<>(one);
      other.forEach((key, count) -> sum.merge(key, count, Integer::sum));
      return sum;
    }

    /** How many requests were sent. */
    public int sent() {
      return statuses.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /**
   * Sends malformed requests.
   *
   * @param count how many, rounded up to whole batches of a thousand
   * @param seed the same seed sends the same requests
   * @param progress told after each batch
   */
  public Report run(int count, long seed, Consumer<Report> progress)
      throws InterruptedException, ExecutionException {
    Report report = Report.none();
    String before = digest.get();
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      for (int batch = 0; batch * BATCH < count; batch++) {
        List<Future<Report>> parts = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
          SplittableRandom random = new SplittableRandom(seed + (long) batch * CALLERS + caller);
          parts.add(callers.submit(() -> part(random, BATCH / CALLERS)));
        }
        for (Future<Report> part : parts) {
          report = report.with(part.get());
        }
        if (!digest.get().equals(before)) {
          report = report.with(wrong("what Redis holds has changed in batch " + batch));
          before = digest.get();
        }
        progress.accept(report);
      }
    }
    return report;
  }

  private static Report wrong(String what) {
    return new Report(Map.of(), Map.of(), Map.of(), List.of(what), 1);
  }

  private Report part(SplittableRandom random, int count) throws IOException {
    Report report = Report.none();
    BodyFaults bodies = new BodyFaults(contract, random);
    RequestFaults requests = new RequestFaults(contract, random);
    try (Wire wire = new Wire(port)) {
      for (int n = 0; n < count; n++) {
        Operation operation = operations.get(random.nextInt(operations.size()));
        Request request = malformed(operation, random, bodies, requests);
        Wire.Answer answer = wire.send(request);
        report =
            report.with(
                new Report(
                    Map.of(answer == null ? 0 : answer.status(), 1),
                    Map.of(String.valueOf(request.fault()), 1),
                    Map.of(operation.id(), 1),
                    List.of(),
                    0));
        String wrong = wrongWith(request, answer);
        if (wrong != null) {
          report = report.with(wrong(wrong + "\n      " + request + "\n      -> " + answer));
        }
      }
    }
    return report;
  }

  private Request malformed(
      Operation operation, SplittableRandom random, BodyFaults bodies, RequestFaults requests) {
    Request good = setting.good(operation);
    Operation.Body body = operation.body();
    if (body == null || random.nextInt(10) < 3) {
      return requests.next(operation, good, setting);
    }
    BodyFaults.Faulty faulty = bodies.next(body, setting.examples(operation));
    return good.withBody(faulty.bytes(), faulty.fault());
  }

  private @Nullable String wrongWith(Request request, Wire.@Nullable Answer answer) {
    boolean unreadable = String.valueOf(request.fault()).startsWith(RequestFaults.UNREADABLE);
    if (answer == null) {
      return unreadable ? null : "the connection was closed without an answer";
    }
    if (answer.status() < 400 || answer.status() > 499) {
      return "not refused as a fault of the caller";
    }
    if (unreadable) {
      return null;
    }
    try {
      byte[] body = request.body();
      contract.check(
          new Contract.Exchange(
              request.method(),
              request.path(),
              body == null ? "" : new String(body, StandardCharsets.UTF_8),
              answer.status(),
              answer::header,
              answer.body()));
      return null;
    } catch (AssertionError broken) {
      return "the answer breaks the contract: " + reason(broken);
    }
  }

  private static String reason(AssertionError broken) {
    String message = String.valueOf(broken.getMessage());
    return message.substring(0, Math.min(MOST_TEXT, message.length()));
  }

  /**
   * Sends each operation once as the contract has it, deletions last, to see that nothing but the
   * fault makes the others be refused. It changes what the requests are about, so it is the end.
   *
   * @return what was refused as malformed; what the state does not let happen is not
   */
  public List<String> refusedOfGood() throws IOException {
    List<Operation> inOrder = new ArrayList<>(operations);
    inOrder.sort(Comparator.comparing(operation -> operation.method().equals("DELETE")));
    List<String> refused = new ArrayList<>();
    try (Wire wire = new Wire(port)) {
      for (Operation operation : inOrder) {
        Request good = setting.good(operation);
        Wire.Answer answer = wire.send(good);
        if (answer == null || MALFORMED.contains(answer.status()) || answer.status() >= 500) {
          refused.add(operation.id() + ": " + good + " -> " + answer);
        }
      }
    }
    return refused;
  }
}
