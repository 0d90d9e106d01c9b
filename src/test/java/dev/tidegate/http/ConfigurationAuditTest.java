package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tidegate.dev.TestIssuer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who changed plans and subjects. */
@QuarkusTest
class ConfigurationAuditTest extends HttpSuite {

  private static Response trailOf(String path, String query) {
    return as(ADMIN).get(path + "/audit" + query);
  }

  private static List<String> operations(Response trail) {
    assertStatus(200, trail);
    return trail.jsonPath().getList("events.operation");
  }

  @Test
  @DisplayName("Law 21: every change of a plan has one event, which outlives the plan")
  void trailOfAPlan() {
    String path = "/v1/plans/" + fresh("audited");
    String token = TestIssuer.shared().token("anna@example.com", "admin").text();
    String first = plan(limit("all", "tokens", 10, FOREVER));
    String second = plan(limit("all", "tokens", 20, FOREVER));
    assertStatus(200, send(ADMIN, "PUT", path, first));
    assertStatus(200, send(token, "PUT", path, second));
    assertStatus(200, send(token, "PUT", path, second));
    assertProblem(400, "invalid-request", send(ADMIN, "PUT", path, "{}"));
    assertProblem(409, "version-conflict", as(ADMIN, first).header("If-Match", "\"1\"").put(path));
    assertStatus(204, as(ADMIN).delete(path));

    Response trail = trailOf(path, "");
    assertEquals(List.of("delete", "put", "put"), operations(trail));
    assertEquals("no-store", trail.header("Cache-Control"));
    JsonPath json = trail.jsonPath();
    assertEquals(
        List.of("demo-admin", "anna@example.com", "demo-admin"), json.getList("events.by"));
    assertEquals(List.of("admin", "admin", "admin"), json.getList("events.role"));
    assertEquals(10, json.getInt("events[1].before.resources.api.limits[0].limit"));
    assertEquals(20, json.getInt("events[1].after.resources.api.limits[0].limit"));
    assertEquals(20, json.getInt("events[0].before.resources.api.limits[0].limit"));
    assertNull(json.get("events[0].after"));
    assertEquals(json.getLong("events[1].version"), json.getLong("events[0].version_before"));
    assertEquals(0, json.getLong("events[0].version"));
    assertEquals(0, json.getLong("events[2].version_before"));
  }

  @Test
  void theVersionOfTheTrailIsThatOfTheTag() {
    String path = "/v1/plans/" + fresh("audited");
    Response put = send(ADMIN, "PUT", path, plan(limit("all", "tokens", 10, FOREVER)));

    String version = trailOf(path, "").jsonPath().getString("events[0].version");
    assertEquals(put.header("ETag"), "\"" + version + "\"");
  }

  @Test
  @DisplayName("Law 21: the trail of a subject is read under every root that it lay with")
  void trailOfASubject() {
    String team = subjectWith(1000);
    String member = fresh("audited");
    String document = "{'plan':'p-%s','parent':'%s'}".formatted(team, team);
    putSubject(member, "{'plan':'p-%s'}".formatted(team));
    putSubject(member, document);
    putSubject(member, document.replace("}", ",'disabled':true}"));
    assertStatus(204, as(ADMIN).delete(subjectPath(member)));
    putSubject(member, "{'plan':'p-%s','zone':'Europe/Berlin'}".formatted(team));

    Response trail = trailOf(subjectPath(member), "");
    assertEquals(List.of("put", "delete", "put", "put", "put"), operations(trail));
    JsonPath json = trail.jsonPath();
    assertEquals("Europe/Berlin", json.getString("events[0].after.zone"));
    assertEquals(true, json.getBoolean("events[1].before.disabled"));
    assertEquals(team, json.getString("events[3].after.parent"));
    assertNull(json.get("events[3].before.parent"));

    Response page = trailOf(subjectPath(member), "?count=2");
    assertEquals(List.of("put", "delete"), operations(page));
    String next = page.jsonPath().getString("next");
    assertEquals(
        List.of("put", "put", "put"), operations(trailOf(subjectPath(member), "?after=" + next)));
  }

  @Test
  void whatNeverWasHasNoTrail() {
    assertProblem(404, "plan-not-found", trailOf("/v1/plans/" + fresh("none"), ""));
    assertProblem(404, "subject-not-found", trailOf(subjectPath(fresh("none")), ""));
  }

  @Test
  void theQueryOfATrailIsChecked() {
    String path = "/v1/plans/none";
    for (Map.Entry<String, String> query : Map.of("count", "0", "after", "yesterday").entrySet()) {
      Response refused = trailOf(path, "?" + query.getKey() + "=" + query.getValue());
      assertProblem(400, "invalid-request", refused);
      assertEquals(query.getKey(), refused.jsonPath().getString("violations[0].path"));
    }
    assertProblem(400, "invalid-request", trailOf(path, "?count=51"));
  }
}
