package dev.tidegate.bench.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One after the other, charges of one token with a key, each repeated until it is made: what was
 * charged is what was made, however often it was sent.
 */
final class KeyedCharges implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final String quota;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong made = new AtomicLong();
  private final Thread charger;

  private KeyedCharges(String base, String subject) {
    quota = base + "/v1/quota/" + subject + "/claude";
    charger = Thread.ofVirtual().start(() -> chargeAll(subject));
  }

  static KeyedCharges start(String base, String subject) {
    return new KeyedCharges(base, subject);
  }

  /** How many charges were made at one moment. */
  record Made(long count) {}

  Made made() {
    return new Made(made.get());
  }

  private void chargeAll(String subject) {
    try {
      for (int n = 0; !over.get(); n++) {
        String key = subject + "-" + n;
        Stage.await("a charge is made", () -> charge(key) == 200);
        made.incrementAndGet();
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private int charge(String key) throws IOException, InterruptedException {
    HttpRequest request =
        to("/charges")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{\"amounts\":{\"tokens\":1}}"))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(quota + path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer demo-meter");
  }

  /**
   * Makes the last one and compares.
   *
   * @param forgotten those that the store has forgotten; null = none
   * @return what is wrong, or nothing
   */
  List<String> finish(@Nullable Made forgotten) throws IOException, InterruptedException {
    over.set(true);
    if (!charger.join(PATIENCE)) {
      return List.of("the last keyed charge was not made");
    }
    AtomicLong used = new AtomicLong(-1);
    Stage.await(
        "the quota is read",
        () -> {
          HttpResponse<String> response =
              client.send(to("/limits/weekly").build(), BodyHandlers.ofString());
          JsonNode limit = JSON.readTree(response.body());
          used.set(limit.path("used").asLong(-1));
          return used.get() >= 0;
        });
    long lost = made.get() - used.get();
    boolean sound = forgotten == null ? lost == 0 : lost >= forgotten.count() && used.get() > 0;
    return sound
        ? List.of()
        : List.of("of %d keyed charges %d were counted".formatted(made.get(), used.get()));
  }

  @Override
  public void close() {
    over.set(true);
    client.close();
  }
}
