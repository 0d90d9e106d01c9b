package dev.tidegate.service;

import dev.tidegate.domain.Limit;
import dev.tidegate.domain.LimitOverride.Timing;
import dev.tidegate.domain.PeriodQuota;
import dev.tidegate.domain.PeriodQuota.EmergencyRule;
import dev.tidegate.domain.Plan;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.domain.calendar.PeriodicSchedule;
import dev.tidegate.domain.calendar.Schedule;
import dev.tidegate.domain.calendar.SessionSchedule;
import dev.tidegate.store.StoreClock;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows what schedules come to, and keeps the table of their next boundaries. */
@ApplicationScoped
public class Calendars {

  private final Configuration configuration;
  private final BoundaryTable boundaries;
  private final StoreClock clock;

  Calendars(Configuration configuration, BoundaryTable boundaries, StoreClock clock) {
    this.configuration = configuration;
    this.boundaries = boundaries;
    this.clock = clock;
  }

  /** Fills the table of boundaries for every schedule of every plan. */
  public void refreshBoundaries() {
    Set<BoundaryTable.Key> wanted = new HashSet<>();
    Set<PeriodicSchedule> schedules = new HashSet<>();
    for (StoredPlan stored : configuration.plans().byName().values()) {
      for (ResourceRules rules : stored.plan().resources().values()) {
        for (Limit limit : rules.limits()) {
          if (limit instanceof PeriodQuota quota
              && quota.schedule() instanceof PeriodicSchedule schedule) {
            ZoneId zone = quota.zone() == null ? configuration.zone() : quota.zone();
            wanted.add(new BoundaryTable.Key(schedule, zone));
            schedules.add(schedule);
          }
          if (limit instanceof PeriodQuota quota) {
            addDays(quota.grants().emergency(), wanted, schedules);
          }
        }
      }
    }
    boundaries.refresh(wanted, schedules, clock.now());
  }

  private void addDays(
      @Nullable EmergencyRule rule,
      Set<BoundaryTable.Key> wanted,
      Set<PeriodicSchedule> schedules) {
    if (rule != null && rule.perDay()) {
      wanted.add(new BoundaryTable.Key(Scopes.DAYS, configuration.zone()));
      schedules.add(Scopes.DAYS);
    }
  }

  /** The service's idea of now. */
  public Instant now() {
    return clock.now();
  }

  /**
   * A schedule over the next periods.
   *
   * @param current the period that contains the instant asked for; null = opened by use
   * @param next the resets that follow, the end of {@code current} first
   */
  public record Preview(
      Schedule schedule, ZoneId zone, @Nullable Period current, List<Instant> next) {}

  /**
   * What a schedule comes to at {@code from}.
   *
   * @param zone of the subject; null = the configured one
   * @param count how many resets, 1 to 100; of a session at most one is known
   * @param uses when a session was used, ascending
   */
  public Preview preview(
      Timing timing, @Nullable ZoneId zone, Instant from, int count, List<Instant> uses) {
    ZoneId subject = zone == null ? configuration.zone() : zone;
    ZoneId own = timing.zone() == null ? subject : timing.zone();
    return switch (timing.schedule()) {
      case PeriodicSchedule schedule -> {
        List<Period> periods = schedule.periodsFrom(from, own, count);
        yield new Preview(
            schedule, own, periods.getFirst(), periods.stream().map(Period::end).toList());
      }
      case SessionSchedule session -> preview(session, own, from, uses);
    };
  }

  private static Preview preview(
      SessionSchedule session, ZoneId zone, Instant from, List<Instant> uses) {
    Period latest = null;
    for (Instant use : uses) {
      if (!use.isAfter(from)) {
        latest = session.sessionAt(latest, use);
      }
    }
    return latest == null || !latest.contains(from)
        ? new Preview(session, zone, null, List.of())
        : new Preview(session, zone, latest, List.of(latest.end()));
  }

  /** A limit of a plan over the next periods. */
  public record LimitPreview(String resource, PeriodQuota quota, Preview preview) {}

  /**
   * What every limit of a plan comes to, for a subject in {@code zone}; those without periods have
   * no resets and are left out.
   */
  public List<LimitPreview> preview(Plan plan, @Nullable ZoneId zone, Instant from, int count) {
    List<LimitPreview> previews = new ArrayList<>();
    for (ResourceRules rules : plan.resources().values()) {
      for (Limit limit : rules.limits()) {
        if (limit instanceof PeriodQuota quota) {
          Timing timing = new Timing(quota.schedule(), quota.zone());
          previews.add(
              new LimitPreview(rules.name(), quota, preview(timing, zone, from, count, List.of())));
        }
      }
    }
    return previews;
  }
}
