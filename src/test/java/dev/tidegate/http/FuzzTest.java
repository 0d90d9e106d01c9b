package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.bench.fuzz.Fuzzer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Some of the malformed requests that {@code ./tidegate fuzz} sends by the hundred thousand. */
@QuarkusTest
class FuzzTest extends HttpSuite {

  private static final int REQUESTS = 2_000;
  private static final long SEED = 20_261_130;

  @Test
  void whatTheContractRefusesIsTheCallersFaultAndChangesNothing() throws Exception {
    try (TestRedis redis = TestRedis.open()) {
      Fuzzer fuzzer = Fuzzer.of(RestAssured.port, redis::contents);
      Fuzzer.Report report = fuzzer.run(REQUESTS, SEED, soFar -> {});
      assertEquals(List.of(), report.wrong());
      assertEquals(REQUESTS, report.sent());
      assertTrue(report.operations().size() > 20, report.operations()::toString);
      assertEquals(List.of(), fuzzer.refusedOfGood());
    }
  }

  @Test
  void whatChangesIsFound() throws Exception {
    try (TestRedis redis = TestRedis.open()) {
      String[] contents = {"before", "after"};
      int[] asked = {0};
      Fuzzer fuzzer =
          Fuzzer.of(RestAssured.port, () -> contents[Math.min(1, asked[0]++)] + redis.contents());
      Fuzzer.Report report = fuzzer.run(1, SEED, soFar -> {});
      assertEquals(List.of("what Redis holds has changed in batch 0"), report.wrong());
    }
  }
}
