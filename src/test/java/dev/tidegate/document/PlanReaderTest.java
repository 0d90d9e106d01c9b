package dev.tidegate.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.LimitOptions;
import dev.tidegate.domain.LimitOverride;
import dev.tidegate.domain.LimitOverride.AmountOverride;
import dev.tidegate.domain.LimitOverride.Drip;
import dev.tidegate.domain.LimitOverride.Grants;
import dev.tidegate.domain.LimitOverride.Options;
import dev.tidegate.domain.LimitOverride.Timing;
import dev.tidegate.domain.LimitOverride.Window;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.PeriodQuota.EmergencyRule;
import dev.tidegate.domain.PeriodQuota.GrantRules;
import dev.tidegate.domain.PeriodQuota.RestartRule;
import dev.tidegate.domain.Plan;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.ResourceRules.HoldRules;
import dev.tidegate.domain.SlidingBudget;
import dev.tidegate.domain.Subject;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.TokenBucket;
import dev.tidegate.domain.UsageRules;
import dev.tidegate.domain.UsageRules.Tier;
import dev.tidegate.domain.calendar.CalendarSchedule;
import dev.tidegate.domain.calendar.CalendarUnit;
import dev.tidegate.domain.calendar.CronSchedule;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanReaderTest {

  private static final int MAX_BYTES = 1_000_000;

  @Test
  void everyOptionOfAResourceIsRead() {
    String yaml =
        """
        resources:
          claude:
            aliases: [claude-sonnet]
            meters: [tokens, requests]
            categories: {tokens: {final_output: 5}}
            tiers: [{above_input: 200000, weights: {final_output: 7.5}}]
            default_estimate: {tokens: 4000}
            hold: {ttl_seconds: 30, max_ttl_seconds: 600, max_holds: 7}
            limits:
              - name: weekly
                kind: period
                meter: tokens
                limit: 100000
                schedule: {type: calendar, unit: week, day_of_week: TUE, at: "09:30"}
                emergency: {amount: 10000, max: 2, per: day, self_service: true}
                restart: {max: 1, per_days: 30}
                warn_at_percent: [80, 95]
                return_spread_seconds: 300
                on_store_failure: allow
                share_amounts_with_members: true
                reclaim_unused_at_percent: 80
              - name: rpm
                kind: token_bucket
                meter: requests
                capacity: 60
                refill: 30
                interval_seconds: 60
                warn_at_percent: [50]
                on_store_failure: allow
              - name: tpm
                kind: sliding
                meter: tokens
                limit: 40000
                window_seconds: 60
                buckets: 6
                return_spread_seconds: 5
                share_amounts_with_members: true
              - {name: counted, kind: sliding, meter: tokens, limit: null, window_seconds: 31622400}
        """;

    Plan plan = Readings.valueOf(PlanReader.plan("free", yaml(yaml)));

    PeriodQuota weekly =
        new PeriodQuota(
            "weekly",
            "tokens",
            100_000L,
            CalendarSchedule.every(CalendarUnit.WEEK)
                .withDayOfWeek(DayOfWeek.TUESDAY)
                .withAt(LocalTime.of(9, 30)),
            null,
            new GrantRules(new EmergencyRule(10_000, 2, true, true), new RestartRule(1, 30), 80),
            new LimitOptions(List.of(80, 95), 300, true, true));
    TokenBucket rpm =
        new TokenBucket(
            "rpm",
            "requests",
            60,
            30,
            Duration.ofMinutes(1),
            new LimitOptions(List.of(50), 0, true, false));
    SlidingBudget tpm =
        new SlidingBudget(
            "tpm",
            "tokens",
            40_000L,
            Duration.ofMinutes(1),
            6,
            new LimitOptions(List.of(), 5, false, true));
    SlidingBudget counted =
        new SlidingBudget("counted", "tokens", null, Duration.ofDays(366), 1, LimitOptions.NONE);
    ResourceRules claude =
        new ResourceRules(
            "claude",
            Set.of("claude-sonnet"),
            List.of("tokens", "requests"),
            new UsageRules(
                Map.of("tokens", Map.of("final_output", new BigDecimal("5"))),
                List.of(new Tier(200_000, Map.of("final_output", new BigDecimal("7.5"))))),
            Amounts.of("tokens", 4000),
            new HoldRules(30, 600, 7),
            List.of(weekly, rpm, tpm, counted));
    assertEquals(new Plan("free", Map.of("claude", claude)), plan);
  }

  @Test
  void whatAPlanLeavesOutIsOff() {
    Plan plan =
        Readings.valueOf(PlanReader.plan("free", yaml("resources: {gpt: {meters: [cents]}}")));

    ResourceRules gpt =
        new ResourceRules(
            "gpt",
            Set.of(),
            List.of("cents"),
            UsageRules.NONE,
            Amounts.NONE,
            HoldRules.DEFAULT,
            List.of());
    assertEquals(Map.of("gpt", gpt), plan.resources());
  }

  @Test
  void theDefaultLeaseIsNoLongerThanTheLongest() {
    Plan plan =
        Readings.valueOf(
            PlanReader.plan(
                "free", yaml("resources: {gpt: {meters: [t], hold: {max_ttl_seconds: 60}}}")));

    assertEquals(
        List.of(new HoldRules(60, 60, 10_000)),
        plan.resources().values().stream().map(ResourceRules::hold).toList());
  }

  @Test
  void theNameOfAPlanIsChecked() {
    assertEquals(
        List.of("$ has a name that must not be 'me'"),
        Readings.faultsOf(PlanReader.plan("me", yaml("resources: {}"))));
  }

  @Test
  void schedulesAreRead() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    assertEquals(
        new Timing(CalendarSchedule.every(6, CalendarUnit.HOUR).withAt(LocalTime.of(0, 15)), null),
        schedule("{type: calendar, unit: hour, interval: 6, at_minute: 15, zone: subject}"));
    assertEquals(
        new Timing(
            CalendarSchedule.every(2, CalendarUnit.YEAR)
                .withMonth(2)
                .withDayOfMonth(29)
                .withReference(LocalDate.of(2024, 1, 1)),
            berlin),
        schedule(
            "{type: calendar, unit: year, interval: 2, month: 2, day_of_month: 29,"
                + " reference_date: 2024-01-01, zone: Europe/Berlin}"));
    assertEquals(
        new Timing(CronSchedule.parse("0 0 * * *"), berlin),
        schedule("{type: cron, expr: 0 0 * * *, zone: Europe/Berlin}"));
    assertEquals(
        new Timing(
            new FixedSchedule(Duration.ofHours(5), Instant.parse("2026-01-01T00:00:00.250Z")),
            null),
        schedule("{type: fixed, seconds: 18000, epoch: \"2026-01-01T00:00:00.250Z\"}"));
    assertEquals(
        new Timing(new SessionSchedule(Duration.ofHours(5)), null),
        schedule("{type: session, seconds: 18000}"));
  }

  /** The uses of a session belong to the case, not to the schedule. */
  @Test
  void everyScheduleOfTheCasesIsRead() {
    List<JsonNode> cases =
        DocumentCasesTest.resource("/cases/periods.jsonl")
            .lines()
            .map(line -> Readings.valueOf(Documents.parseJson(line, MAX_BYTES)))
            .toList();

    assertEquals(185, cases.size());
    for (JsonNode line : cases) {
      ObjectNode schedule = line.withObject("schedule");
      schedule.remove("uses");
      String id = line.path("id").textValue();
      assertEquals(List.of(), Readings.faultsOf(PlanReader.schedule(schedule)), id);
      assertEquals(
          List.of(),
          DocumentCasesTest.schemaErrors("plan.schema.json#/$defs/schedule", schedule),
          id);
    }
  }

  @Test
  void aSubjectIsRead() {
    String yaml =
        """
        plan: pro
        zone: Europe/Berlin
        parent: team-7
        disabled: true
        overrides:
          claude:
            limits:
              weekly: {limit: null, warn_at_percent: []}
              rpm: {capacity: 0, refill: 5, interval_seconds: 7}
              tpm: {window_seconds: 30, buckets: 3}
        resources: {claude: {disabled: true}, gpt: {disabled: false}}
        """;

    Subject subject = Readings.valueOf(PlanReader.subject(yaml(yaml)));

    LimitOverride weekly =
        new LimitOverride(
            new AmountOverride(null),
            null,
            Drip.NONE,
            Window.NONE,
            Grants.NONE,
            new Options(List.of(), null, null, null));
    LimitOverride rpm =
        new LimitOverride(
            null,
            null,
            new Drip(0L, 5L, Duration.ofSeconds(7)),
            Window.NONE,
            Grants.NONE,
            Options.NONE);
    LimitOverride tpm =
        new LimitOverride(
            null,
            null,
            Drip.NONE,
            new Window(Duration.ofSeconds(30), 3),
            Grants.NONE,
            Options.NONE);
    assertEquals(
        new Subject(
            "pro",
            ZoneId.of("Europe/Berlin"),
            new SubjectId("team-7"),
            Map.of("claude", Map.of("weekly", weekly, "rpm", rpm, "tpm", tpm)),
            true,
            Set.of("claude"),
            false),
        subject);
  }

  @Test
  void aSubjectOfNothingIsAsIfUnregistered() {
    assertEquals(Subject.UNREGISTERED, Readings.valueOf(PlanReader.subject(yaml("{}"))));
  }

  @Test
  void aFileHoldsEachPlanAndItsDocument() {
    PlansFile file =
        Readings.valueOf(
            PlanReader.plansFile(
                yaml("{revision: 7, plans: {a: {resources: {}}, b: {resources: {}}}}")));

    assertEquals(7, file.revision());
    assertNull(file.defaultPlan());
    assertEquals(List.of("a", "b"), List.copyOf(file.plans().keySet()));
    assertEquals(
        new PlansFile.PlanDocument(new Plan("a", Map.of()), yaml("{resources: {}}")),
        file.plans().get("a"));
  }

  @Test
  void theDemoPlansAreReadWithoutFault() throws IOException {
    JsonNode document = yaml(Files.readString(Path.of("src/demo/plans.yaml")));

    PlansFile file = Readings.valueOf(PlanReader.plansFile(document));

    assertEquals("free", file.defaultPlan());
    assertEquals(
        List.of("free", "pro", "team", "sandbox", "replay"), List.copyOf(file.plans().keySet()));
    assertEquals(List.of(), DocumentCasesTest.schemaErrors("plans-file.schema.json", document));
  }

  private static Timing schedule(String yaml) {
    return Readings.valueOf(PlanReader.schedule(yaml(yaml)));
  }

  private static JsonNode yaml(String text) {
    return Readings.valueOf(Documents.parseYaml(text, MAX_BYTES));
  }
}
