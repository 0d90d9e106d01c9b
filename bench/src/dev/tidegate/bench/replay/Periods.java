package dev.tidegate.bench.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.bench.replay.ServiceClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Reads periods out of the service's answers. */
final class Periods {

  /** More than a replay of an hour crosses when a period lasts four seconds. */
  private static final int PAST = 1_000;

  private static final int OK = 200;
  private static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private Periods() {}

  /**
   * The current periods in an answer.
   *
   * @param limits the limits as a view or a reservation shows them
   * @param subject whose limits count; those of its parents are left out
   * @return the limit by its current period; limits without a period are left out
   */
  static Map<PeriodKey, JsonNode> current(JsonNode limits, String subject) {
    Map<PeriodKey, JsonNode> current = new HashMap<>();
    for (JsonNode limit : limits) {
      if (limit.path("subject").asText(subject).equals(subject) && limit.hasNonNull("period_id")) {
        current.put(key(subject, limit.path("name").asText(), limit), limit);
      }
    }
    return current;
  }

  /**
   * What the service says was used, in every period of these subjects that it knows.
   *
   * @throws ReplayException when the service does not say
   */
  static Map<PeriodKey, Long> used(ServiceClient service, List<String> subjects)
      throws ReplayException {
    Map<PeriodKey, Long> used = new HashMap<>();
    for (String subject : subjects) {
      // The current period is read first: should it end in between, the second answer has it too.
      JsonNode view = read(subject, () -> service.quota(subject));
      current(view.path("limits"), subject)
          .forEach((period, limit) -> used.put(period, limit.path("used").asLong()));
      JsonNode closed = read(subject, () -> service.periods(subject, PAST));
      for (JsonNode limit : closed.path("limits")) {
        for (JsonNode past : limit.path("past")) {
          PeriodKey period = key(subject, limit.path("name").asText(), past);
          used.put(period, past.path("used").asLong());
        }
      }
    }
    return used;
  }

  private static PeriodKey key(String subject, String limit, JsonNode period) {
    return new PeriodKey(
        subject, limit, period.path("seq").asLong(), period.path("period_id").asText());
  }

  private interface Read {
    Answer once() throws IOException;
  }

  private static JsonNode read(String subject, Read read) throws ReplayException {
    String why = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        Answer answer = read.once();
        if (answer.status() == OK) {
          return answer.body();
        }
        why = answer.explanation();
        if (!answer.isTransient()) {
          break;
        }
      } catch (IOException lost) {
        why = String.valueOf(lost);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw ReplayException.failed("cannot read the periods of %s: %s".formatted(subject, why));
  }
}
