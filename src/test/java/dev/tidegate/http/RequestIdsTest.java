package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The id of a request: in the answer and in problems. */
@QuarkusTest
class RequestIdsTest extends HttpSuite {

  private static final String HEADER = "X-Request-Id";

  private static Response read(String subject, String id) {
    return as(METER).header(HEADER, id).get(quotaPath(subject));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "01JD-7:x/y.z_~+=@", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"})
  void theIdOfACallerComesBack(String id) {
    assertEquals(id, read(subjectWith(1), id).header(HEADER));
    assertEquals("x".repeat(128), read("none", "x".repeat(128)).header(HEADER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\"b", "a,b", "<a>", "é", "a\tb", "{a}"})
  void anIdThatIsNotSafeIsReplaced(String id) {
    String given = read("none", id).header(HEADER);
    assertTrue(given.matches("[0-9a-f]{32}"), given);
    assertTrue(read("none", "x".repeat(129)).header(HEADER).matches("[0-9a-f]{32}"));
  }

  @Test
  void aRequestWithoutAnIdGetsAFreshOne() {
    String subject = subjectWith(1);
    String one = read(subject).header(HEADER);
    assertTrue(one.matches("[0-9a-f]{32}"), one);
    assertNotEquals(one, read(subject).header(HEADER));
  }

  @Test
  void everyProblemNamesTheIdOfItsRequest() {
    for (String path : List.of("/v1/nothing", "/v1/quota/none/api", "/v1/quota/a;b/api")) {
      Response answer = as(METER).header(HEADER, "req-7").get(path);
      assertEquals("req-7", answer.jsonPath().getString("request_id"), answer::asString);
      assertEquals(path, answer.jsonPath().getString("instance"), answer::asString);
    }
    Response nobody = as(null).header(HEADER, "req-8").get("/v1/quota/none/api");
    assertEquals("req-8", nobody.jsonPath().getString("request_id"));
  }
}
