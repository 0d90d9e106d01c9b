package dev.tidegate.store.redis;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.anyOf;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.SchedulerOff;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One decision, one script call: what every call costs at Redis once the service knows its subject.
 */
@QuarkusTest
@TestProfile(SchedulerOff.class)
class RoundTripsTest {

  private static final String PLAN =
      """
      {"resources": {"claude": {
        "meters": ["tokens"],
        "default_estimate": {"tokens": 10},
        "limits": [
          {"name": "daily", "kind": "period", "meter": "tokens", "limit": 1000000,
           "emergency": {"amount": 10, "max": 1000},
           "schedule": {"type": "calendar", "unit": "day", "at": "00:00"}},
          {"name": "weekly", "kind": "period", "meter": "tokens", "limit": 1000000,
           "schedule": {"type": "calendar", "unit": "week", "at": "00:00"}}]}}}
      """;
  private static final String AMOUNTS = "{\"amounts\": {\"tokens\": 10}}";
  private static final String RESERVATIONS = "/v1/quota/{subject}/claude/reservations";
  private static final Pattern EVALSHA = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
  private static final Pattern EVAL = Pattern.compile("cmdstat_eval:calls=(\\d+)");

  @Inject RedisWay lanes;

  @BeforeEach
  void configure() {
    as("demo-admin").body(PLAN).put("/v1/plans/steady").then().statusCode(done());
    as("demo-admin")
        .body("{\"plan\": \"steady\"}")
        .put("/v1/subjects/pool")
        .then()
        .statusCode(done());
    as("demo-admin")
        .body("{\"plan\": \"steady\", \"parent\": \"pool\"}")
        .put("/v1/subjects/member")
        .then()
        .statusCode(done());
    // Known to the process, and their scripts to Redis.
    for (String subject : new String[] {"pool", "member"}) {
      everyCall(subject).values().forEach(call -> call.get().statusCode(done()));
    }
  }

  private static org.hamcrest.Matcher<Integer> done() {
    return anyOf(is(200), is(201));
  }

  private static RequestSpecification as(String key) {
    return given().auth().oauth2(key).contentType(ContentType.JSON);
  }

  private static ValidatableResponse post(String subject, String path, String body) {
    return as("demo-meter").body(body).post(path, subject).then();
  }

  private static String reserved(String subject) {
    return post(subject, RESERVATIONS, AMOUNTS).statusCode(201).extract().path("id");
  }

  /** Every call on a quota; what it needs is prepared when this is called. */
  private static Map<String, Supplier<ValidatableResponse>> everyCall(String subject) {
    String settled = reserved(subject);
    String released = reserved(subject);
    String extended = reserved(subject);
    String quota = "/v1/quota/{subject}/claude";
    return Map.ofEntries(
        Map.entry("reserve", () -> post(subject, RESERVATIONS, AMOUNTS)),
        Map.entry(
            "dry run",
            () ->
                post(subject, RESERVATIONS, "{\"amounts\": {\"tokens\": 10}, \"dry_run\": true}")),
        Map.entry("settle", () -> post(subject, RESERVATIONS + "/" + settled + "/settle", AMOUNTS)),
        Map.entry("release", () -> post(subject, RESERVATIONS + "/" + released + "/release", "{}")),
        Map.entry(
            "extend",
            () ->
                post(subject, RESERVATIONS + "/" + extended + "/extend", "{\"ttl_seconds\": 300}")),
        Map.entry("charge", () -> post(subject, quota + "/charges", AMOUNTS)),
        Map.entry("read the quota", () -> as("demo-meter").get(quota, subject).then()),
        Map.entry(
            "read a limit", () -> as("demo-meter").get(quota + "/limits/daily", subject).then()),
        Map.entry(
            "read the periods", () -> as("demo-meter").get(quota + "/periods", subject).then()),
        Map.entry(
            "read a reservation",
            () -> as("demo-meter").get(RESERVATIONS + "/" + extended, subject).then()));
  }

  private long calls(Pattern command) {
    Object stats = RedisFixture.get(lanes.send(Request.cmd(Command.INFO).arg("commandstats")));
    Matcher matcher = command.matcher(String.valueOf(stats));
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  @Test
  void everyCallOfASubjectIsOneTrip() {
    everyCall("pool").forEach(this::assertOneTrip);
  }

  @Test
  void everyCallOfAMemberIsOneTrip() {
    everyCall("member").forEach(this::assertOneTrip);
  }

  @Test
  void everyGrantIsOneTrip() {
    for (String subject : new String[] {"pool", "member"}) {
      everyGrant(subject).forEach(call -> call.get().statusCode(200));
      for (Supplier<ValidatableResponse> call : everyGrant(subject)) {
        assertOneTrip("a grant to " + subject, call);
      }
    }
  }

  private static List<Supplier<ValidatableResponse>> everyGrant(String subject) {
    String quota = "/v1/quota/{subject}/claude";
    AtomicReference<String> tag = new AtomicReference<>();
    return List.of(
        () ->
            grant("{\"mode\": \"purchase\", \"amounts\": {\"daily\": 10, \"weekly\": 10}}")
                .post(quota + "/topup", subject)
                .then(),
        () -> {
          ValidatableResponse read = as("demo-operator").get(quota, subject).then();
          tag.set(read.extract().header("ETag"));
          return read;
        },
        () ->
            grant("{\"mode\": \"emergency\"}")
                .header("If-Match", tag.get())
                .post(quota + "/topup", subject)
                .then(),
        () -> grant("{\"mode\": \"keep_anchor\"}").post(quota + "/reset", subject).then(),
        () -> grant("{\"mode\": \"restart\"}").post(quota + "/reset", subject).then(),
        () -> as("demo-operator").get(quota, subject).then());
  }

  private static RequestSpecification grant(String body) {
    return as("demo-operator").body(body);
  }

  private void assertOneTrip(String name, Supplier<ValidatableResponse> call) {
    long scripts = calls(EVALSHA);
    long texts = calls(EVAL);
    long trips = lanes.trips();
    call.get().statusCode(done());
    assertEquals(1, lanes.trips() - trips, name + ": trips");
    assertEquals(1, calls(EVALSHA) - scripts, name + ": scripts by their name");
    assertEquals(0, calls(EVAL) - texts, name + ": scripts by their text");
  }
}
