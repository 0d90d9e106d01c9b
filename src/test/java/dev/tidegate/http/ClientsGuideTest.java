package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide for clients does what it says: its shell and Java examples are run as they are. */
@QuarkusTest
class ClientsGuideTest extends ClockSuite {

  private static final Guide GUIDE = Guide.read(Path.of("docs", "clients.md"));
  private static final String EVERY_SHELL_EXAMPLE = "The shell examples";
  private static final Instant MIDNIGHT = Instant.parse("2027-03-02T00:00:00Z");
  private static final int TTL_SECONDS = 3;

  @TempDir Path folder;

  private String subject = "";

  /** 250 tokens of claude and 1,000 of gpt a day, of which five seconds are left. */
  @BeforeEach
  void aSubjectWithTwoResourcesJustBeforeTheReset() {
    set(MIDNIGHT.minusSeconds(5));
    subject = fresh("client");
    putPlan(
        "p-" + subject,
        "{'resources':{'claude':%s,'gpt':%s}}".formatted(metering(250), metering(1000)));
    putSubject(subject, "{'plan':'p-%s'}".formatted(subject));
  }

  private static String metering(long tokens) {
    return "{'meters':['tokens'],'limits':[%s]}".formatted(limit("all", "tokens", tokens, DAILY));
  }

  private String path(String resource) {
    return "/v1/quota/" + subject + "/" + resource;
  }

  /** What is used and held of a resource in this period. */
  private String spent(String resource) {
    var json = send(METER, "GET", path(resource) + "/limits/all", "").jsonPath();
    return json.getLong("used") + "/" + json.getLong("held");
  }

  private long usedInThePeriodBefore(String resource) {
    return send(METER, "GET", path(resource) + "/periods", "")
        .jsonPath()
        .getLong("limits[0].past[0].used");
  }

  private void spend(String resource, long tokens) {
    assertStatus(200, send(METER, "POST", path(resource) + "/charges", tokens(tokens)));
  }

  private String reserved(String resource, long tokens) {
    return idOf(send(METER, "POST", path(resource) + "/reservations", tokens(tokens)));
  }

  private RunningExample start(Map<String, String> environment, String... command) {
    Map<String, String> all = new TreeMap<>(environment);
    all.put("TIDEGATE_URL", "http://localhost:" + RestAssured.port);
    all.put("TIDEGATE_KEY", METER);
    all.put("SUBJECT", subject);
    all.put("TTL", "" + TTL_SECONDS);
    return new RunningExample(folder, all, List.of(command));
  }

  private RunningExample shell(String heading, Map<String, String> environment) throws IOException {
    String script = GUIDE.example("sh", EVERY_SHELL_EXAMPLE) + GUIDE.example("sh", heading);
    Files.writeString(folder.resolve("example.sh"), script);
    return start(environment, "bash", "example.sh");
  }

  private RunningExample shell(String heading) throws IOException {
    return shell(heading, Map.of());
  }

  private RunningExample java(String... prompts) throws IOException {
    Files.writeString(folder.resolve("Job.java"), GUIDE.example("java", "Java"));
    String launcher = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Stream<String> command = Stream.of(launcher, "-XX:TieredStopAtLevel=1", "Job.java");
    return start(Map.of(), Stream.concat(command, Arrays.stream(prompts)).toArray(String[]::new));
  }

  private String written(String file) throws IOException {
    return Files.readString(folder.resolve(file)).strip();
  }

  private static String words(int count) {
    return "word ".repeat(count).strip();
  }

  @Test
  void everyExampleInAShellAndInJavaIsRun() {
    assertEquals(
        Set.of(
            EVERY_SHELL_EXAMPLE,
            "Reserve, call, settle",
            "Heartbeats",
            "Waiting",
            "Pausing a long job",
            "Light work elsewhere",
            "After a crash",
            "Idempotency keys"),
        GUIDE.headings("sh"));
    assertEquals(Set.of("Java"), GUIDE.headings("java"));
    assertEquals(Set.of("TypeScript"), GUIDE.headings("ts"));
    assertEquals(Set.of("Python"), GUIDE.headings("python"));
  }

  @Test
  void everyCodeIsExplained() {
    Set<String> unexplained = new TreeSet<>();
    for (ProblemCode code : ProblemCode.values()) {
      if (!GUIDE.text().contains("`" + code.word() + "`")) {
        unexplained.add(code.word());
      }
    }
    assertEquals(Set.of(), unexplained);
  }

  @Test
  void aCallIsSettledWithWhatItCost() throws Exception {
    try (RunningExample run = shell("Reserve, call, settle")) {
      String printed = run.write(words(130)).succeed();
      assertTrue(printed.contains("\"charged\":{\"tokens\":130}"), printed);
    }
    assertEquals("130/0", spent("claude"));
  }

  @Test
  void aReservationThatIsRefusedEndsTheScriptBeforeTheCall() throws Exception {
    spend("claude", 200);
    try (RunningExample run = shell("Reserve, call, settle")) {
      run.awaitLine("429");
    }
    assertEquals("200/0", spent("claude"));
  }

  @Test
  void heartbeatsKeepALeaseAliveForAsLongAsTheCallTakes() throws Exception {
    try (RunningExample run = shell("Heartbeats")) {
      run.awaitLine(MIDNIGHT.minusSeconds(2).toString());
      set(MIDNIGHT.minusSeconds(3));
      run.awaitLine(MIDNIGHT.toString());
      set(MIDNIGHT.minusSeconds(1));
      assertEquals("0/100", spent("claude"));
      String printed = run.write(words(70)).succeed();
      assertTrue(printed.contains("\"late\":false"), printed);
    }
    assertEquals("70/0", spent("claude"));
  }

  @Test
  void curlWaitsAsLongAsTheRefusalSays() throws Exception {
    set(MIDNIGHT.minusSeconds(1));
    spend("claude", 200);
    Files.writeString(folder.resolve(".curlrc"), "verbose");
    try (RunningExample run = shell("Waiting", Map.of("CURL_HOME", folder.toString()))) {
      run.awaitLine("429 Too Many Requests");
      set(MIDNIGHT);
      run.succeed();
    }
    assertEquals("0/100", spent("claude"));
  }

  @Test
  void aLongJobPausesAtACheckpointAndGoesOnAfterTheReset() throws Exception {
    set(MIDNIGHT.minusSeconds(1));
    try (RunningExample run = shell("Pausing a long job")) {
      run.awaitLine("paused after 2 parts: 2027-03-02T00:00:00Z, in 1000 ms");
      assertEquals("2", written("checkpoint"));
      set(MIDNIGHT);
      run.succeed();
    }
    assertEquals(200, usedInThePeriodBefore("claude"));
    assertEquals("100/0", spent("claude"));
    Files.writeString(folder.resolve("checkpoint"), "2");
    try (RunningExample again = shell("Pausing a long job")) {
      again.succeed();
    }
    assertEquals("3", written("checkpoint"));
    assertEquals("100/0", spent("claude"));
  }

  @Test
  void lightWorkGoesElsewhereWhenTheCostlyResourceRefuses() throws Exception {
    try (RunningExample run = shell("Light work elsewhere")) {
      run.write(words(160)).succeed();
    }
    assertEquals("160/0 and 0/0", spent("claude") + " and " + spent("gpt"));
    try (RunningExample run = shell("Light work elsewhere")) {
      run.write(words(60)).succeed();
    }
    assertEquals("160/0 and 60/0", spent("claude") + " and " + spent("gpt"));
  }

  private String settlingWhatIsOpen(String id) throws Exception {
    Files.writeString(folder.resolve("open"), id + " 80\n");
    try (RunningExample run = shell("After a crash")) {
      String printed = run.succeed();
      assertTrue(printed.contains("\"charged\":{\"tokens\":80}"), printed);
      assertFalse(Files.exists(folder.resolve("open")));
      return printed;
    }
  }

  @Test
  void whatACrashLeftOpenIsSettledLateAndOnce() throws Exception {
    String id = reserved("claude", 100);
    set(MIDNIGHT.plusSeconds(3600));
    String first = settlingWhatIsOpen(id);
    assertTrue(first.contains("\"late\":true"), first);
    String second = settlingWhatIsOpen(id);
    assertTrue(second.contains("\"replayed\":true"), second);
    assertEquals(80, usedInThePeriodBefore("claude"));
    assertEquals("0/0", spent("claude"));
  }

  @Test
  void whatIsForgottenIsChargedOnce() throws Exception {
    settlingWhatIsOpen(forgotten());
    String second = settlingWhatIsOpen(forgotten());
    assertTrue(second.contains("\"replayed\":true"), second);
    assertEquals("80/0", spent("claude"));
  }

  /** The id of a reservation of the subject that is not known any more. */
  private String forgotten() {
    return new ReservationId("AbCdEf-0123_4567", new SubjectId(subject)).text();
  }

  @Test
  void aKeyedChargeThatIsSentAgainChargesOnce() throws Exception {
    try (RunningExample run = shell("Idempotency keys")) {
      String printed = run.succeed();
      List<String> replayed =
          printed
              .lines()
              .filter(line -> line.startsWith("{"))
              .map(line -> "" + line.contains("\"replayed\":true"))
              .toList();
      assertEquals(List.of("false", "true"), replayed, printed);
    }
    assertEquals("40/0", spent("claude"));
  }

  @Test
  void theJavaJobOutlivesAnExhaustedQuotaAndACrash() throws Exception {
    String[] prompts = {"Tell me all about the tides", "Now tell me about the moon", "A title?"};
    try (RunningExample run = java(prompts)) {
      run.awaitLine("reserved on claude");
      set(MIDNIGHT.minusSeconds(3));
      awaitLeaseUntil(MIDNIGHT, written("job.open"));
      set(MIDNIGHT.minusSeconds(1));
      run.write(words(200) + "\n\n");
      assertEquals("settled 200", run.awaitLine("settled"));
      assertEquals("paused for 1 s", run.awaitLine("paused"));
      set(MIDNIGHT);
      run.awaitLine("reserved on claude");
    }
    assertEquals(200, usedInThePeriodBefore("claude"));
    assertEquals("0/100", spent("claude"));
    set(MIDNIGHT.plusSeconds(3600));
    try (RunningExample run = java(prompts)) {
      assertEquals("settled 100 late", run.awaitLine("settled"));
      run.awaitLine("reserved on claude");
      run.write("the moon pulls\n\n");
      run.awaitLine("reserved on gpt");
      run.write("Tides\n\n").succeed();
    }
    assertEquals("103/0 and 1/0", spent("claude") + " and " + spent("gpt"));
    assertEquals(words(200) + "\nthe moon pulls\nTides", written("job.context"));
  }

  /** Waits until a heartbeat has moved the end of the lease. */
  private static void awaitLeaseUntil(Instant end, String reservation) throws Exception {
    for (int tries = 0; tries < 200; tries++) {
      var found = send(METER, "GET", reservation, "").jsonPath();
      if (found.getString("expires_at").equals(end.toString())) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    fail("no heartbeat came");
  }

  @Test
  void theJavaJobChargesWhatIsForgotten() throws Exception {
    String open = path("claude") + "/reservations/" + forgotten();
    Files.writeString(folder.resolve("job.open"), open);
    try (RunningExample run = java()) {
      assertEquals("settled 100", run.succeed());
    }
    assertEquals("100/0", spent("claude"));
  }
}
