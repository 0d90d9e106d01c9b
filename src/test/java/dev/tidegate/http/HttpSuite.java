package dev.tidegate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.EmbeddedRedisResource;
import dev.tidegate.dev.TestCredentials;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the tests of the HTTP API share: how to call it, and subjects with plans. */
@WithTestResource(value = EmbeddedRedisResource.class, scope = TestResourceScope.GLOBAL)
@WithTestResource(value = TestCredentials.class, scope = TestResourceScope.GLOBAL)
abstract class HttpSuite {

  static final String METER = "demo-meter";
  static final String VIEWER = "demo-viewer";
  static final String OPERATOR = "demo-operator";
  static final String ADMIN = "demo-admin";

  /** The subject that the viewer's key is bound to. */
  static final String BOUND = "demo";

  /** The resource of every plan of these tests. */
  static final String RESOURCE = "api";

  /** Ten years from 2020 on: no test comes upon its end. */
  static final String FOREVER =
      "{'type':'fixed','seconds':315576000,'epoch':'2020-01-01T00:00:00Z'}";

  private static final ContractFilter CONTRACT = new ContractFilter();
  private static final RestAssuredConfig AS_WRITTEN =
      RestAssuredConfig.config()
          .encoderConfig(
              EncoderConfig.encoderConfig()
                  .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                  .defaultContentCharset(StandardCharsets.UTF_8));

  /** A request by the holder of a key or a token, null for nobody; its path is taken as written. */
  static RequestSpecification as(@Nullable String key) {
    RequestSpecification request =
        given().config(AS_WRITTEN).filter(CONTRACT).urlEncodingEnabled(false);
    return key == null ? request : request.header("Authorization", "Bearer " + key);
  }

  /** JSON that is written with single quotes. */
  static String json(String text) {
    return text.replace('\'', '"');
  }

  static RequestSpecification as(@Nullable String key, String body) {
    return as(key).contentType(ContentType.JSON).body(json(body));
  }

  /** Sends a body, none when it is empty. */
  static Response send(@Nullable String key, String method, String path, String body) {
    return (body.isEmpty() ? as(key) : as(key, body)).request(method, path);
  }

  /** An id that no other test has. */
  static String fresh(String name) {
    return name + "-" + UUID.randomUUID();
  }

  /** A segment of a path. */
  static String segment(String id) {
    StringBuilder out = new StringBuilder();
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_');
      out.append(plain ? "" + c : "%%%02X".formatted((int) c));
    }
    return out.toString();
  }

  static String limit(String name, String meter, long amount, String schedule) {
    return limit(name, meter, amount, schedule, "");
  }

  /**
   * @param more further fields, each after a comma
   */
  static String limit(String name, String meter, long amount, String schedule, String more) {
    return "{'name':'%s','kind':'period','meter':'%s','limit':%d,'schedule':%s%s}"
        .formatted(name, meter, amount, schedule, more);
  }

  /** A plan with one resource that meters tokens and requests. */
  static String plan(String... limits) {
    return planWith("", limits);
  }

  /**
   * @param more further fields of the resource, each with a comma after it
   */
  static String planWith(String more, String... limits) {
    return "{'resources':{'%s':{%s'meters':['tokens','requests'],'limits':[%s]}}}"
        .formatted(RESOURCE, more, String.join(",", limits));
  }

  static void putPlan(String name, String document) {
    assertEquals(200, send(ADMIN, "PUT", "/v1/plans/" + name, document).statusCode());
  }

  static void putSubject(String id, String document) {
    Response put = send(ADMIN, "PUT", subjectPath(id), document);
    assertEquals(200, put.statusCode(), put::asString);
  }

  /** A new subject on a new plan with this document. */
  static String subjectOn(String planDocument) {
    String id = fresh("s");
    putPlan("p-" + id, planDocument);
    putSubject(id, "{'plan':'p-%s'}".formatted(id));
    return id;
  }

  /** A new subject that may take so many tokens. */
  static String subjectWith(long tokens) {
    return subjectOn(plan(limit("all", "tokens", tokens, FOREVER)));
  }

  static String subjectPath(String id) {
    return "/v1/subjects/" + segment(id);
  }

  static String quotaPath(String subject) {
    return "/v1/quota/" + segment(subject) + "/" + RESOURCE;
  }

  static String reservationPath(String subject, String id) {
    return quotaPath(subject) + "/reservations/" + id;
  }

  static String tokens(long amount) {
    return "{'amounts':{'tokens':%d}}".formatted(amount);
  }

  static Response reserve(String subject, String body) {
    return send(METER, "POST", quotaPath(subject) + "/reservations", body);
  }

  static Response reserve(String subject, long tokens) {
    return reserve(subject, tokens(tokens));
  }

  /** Reserves and returns the id. */
  static String held(String subject, long tokens) {
    return idOf(reserve(subject, tokens));
  }

  /** Reserves for so many seconds and returns the id. */
  static String held(String subject, long tokens, int ttlSeconds) {
    return idOf(
        reserve(
            subject, "{'amounts':{'tokens':%d},'ttl_seconds':%d}".formatted(tokens, ttlSeconds)));
  }

  static String idOf(Response reserved) {
    assertEquals(201, reserved.statusCode(), reserved::asString);
    return reserved.jsonPath().getString("id");
  }

  static Response settle(String subject, String id, long tokens) {
    return settle(subject, id, tokens(tokens));
  }

  static Response settle(String subject, String id, String body) {
    return send(METER, "POST", reservationPath(subject, id) + "/settle", body);
  }

  static Response release(String subject, String id) {
    return send(METER, "POST", reservationPath(subject, id) + "/release", "");
  }

  static Response extend(String subject, String id, int ttlSeconds) {
    String body = "{'ttl_seconds':%d}".formatted(ttlSeconds);
    return send(METER, "POST", reservationPath(subject, id) + "/extend", body);
  }

  static Response find(String subject, String id) {
    return send(METER, "GET", reservationPath(subject, id), "");
  }

  static Response charge(String subject, long tokens) {
    return charge(subject, tokens(tokens));
  }

  static Response charge(String subject, String body) {
    return send(METER, "POST", quotaPath(subject) + "/charges", body);
  }

  static Response topUp(String subject, String body) {
    return send(OPERATOR, "POST", quotaPath(subject) + "/topup", body);
  }

  /** Buys so many tokens for the limit {@code all}. */
  static Response buy(String subject, long tokens) {
    return topUp(subject, "{'mode':'purchase','amounts':{'all':%d}}".formatted(tokens));
  }

  /** Asks for an emergency top-up on a version, as a tag. */
  static Response emergency(String subject, String tag, String body) {
    return as(OPERATOR, body).header("If-Match", tag).post(quotaPath(subject) + "/topup");
  }

  /** Asks for the only emergency top-up there is, on the version that a read shows. */
  static Response emergency(String subject) {
    return emergency(subject, read(subject).header("ETag"), "{'mode':'emergency'}");
  }

  static Response reset(String subject, String body) {
    return send(OPERATOR, "POST", quotaPath(subject) + "/reset", body);
  }

  /** A grant with a key. */
  static Response keyedGrant(String subject, String call, String key, String body) {
    return as(OPERATOR, body).header("Idempotency-Key", key).post(quotaPath(subject) + "/" + call);
  }

  static Response audit(String subject, String query) {
    return send(OPERATOR, "GET", quotaPath(subject) + "/audit" + query, "");
  }

  static Response read(String subject) {
    return send(METER, "GET", quotaPath(subject), "");
  }

  /** One limit of a subject. */
  static Response readLimit(String subject, String name) {
    return send(METER, "GET", quotaPath(subject) + "/limits/" + name, "");
  }

  /** What is used and held of the limit {@code all}, such as {@code 20/0}. */
  static String usedAndHeld(String subject) {
    return usedAndHeld(subject, "all");
  }

  static String usedAndHeld(String subject, String limit) {
    var json = readLimit(subject, limit).jsonPath();
    return json.getLong("used") + "/" + json.getLong("held");
  }

  static void assertStatus(int status, Response response) {
    assertEquals(status, response.statusCode(), response::asString);
  }

  static void assertProblem(int status, String code, Response response) {
    assertStatus(status, response);
    assertEquals(code, response.jsonPath().getString("code"), response::asString);
  }
}
