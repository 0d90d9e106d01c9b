package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The contract as the service shows it. */
@QuarkusTest
class ServedDocumentTest extends HttpSuite {

  @Test
  void theServiceShowsTheDocumentToAnyone() throws IOException {
    String served =
        given()
            .queryParam("format", "json")
            .get("/q/openapi")
            .then()
            .statusCode(200)
            .extract()
            .asString();
    JsonNode shown = new ObjectMapper().readTree(served);
    JsonNode kept = Contract.PUBLISHED.document();
    assertEquals(kept.path("openapi"), shown.path("openapi"));
    assertEquals(kept.path("info").path("description"), shown.path("info").path("description"));
    assertEquals(kept.path("paths"), shown.path("paths"));
    for (String part : List.of("parameters", "responses", "headers", "securitySchemes")) {
      assertEquals(kept.at("/components/" + part), shown.at("/components/" + part), part);
    }
    assertEquals(names(kept), names(shown));
    for (String name : names(kept)) {
      String pointer = "/components/schemas/" + name;
      assertEquals(kept.at(pointer), shown.at(pointer), name);
    }
  }

  private static Set<String> names(JsonNode document) {
    Set<String> names = new TreeSet<>();
    document.at("/components/schemas").fieldNames().forEachRemaining(names::add);
    return names;
  }
}
