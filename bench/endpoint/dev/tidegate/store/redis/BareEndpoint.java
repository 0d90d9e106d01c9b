package dev.tidegate.store.redis;

import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import dev.tidegate.domain.calendar.FixedSchedule;
import dev.tidegate.domain.calendar.Period;
import dev.tidegate.store.Level;
import dev.tidegate.store.LimitTerms;
import dev.tidegate.store.ScheduleLabel;
import dev.tidegate.store.Scope;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a reservation is measured against: the same script with the same arguments over the same
 * lanes, and nothing else; no key, no body, no plan, no answer. It is never packaged but for a
 * measurement.
 */
@Path("/bench")
@PermitAll
public class BareEndpoint {

  private static final int SUBJECTS = 1000;
  private static final String TOKEN = "bench___________";

  private final ScriptRunner scripts;
  private final List<Prepared> calls = new ArrayList<>();

  /** A call but for the token of its reservation. */
  private record Prepared(List<String> keys, List<String> arguments) {

    Prepared withToken(String token) {
      List<String> named = new ArrayList<>(keys);
      named.set(0, keys.getFirst().replace(TOKEN, token));
      List<String> given = new ArrayList<>(arguments);
      given.set(1, token);
      return new Prepared(named, given);
    }
  }

  BareEndpoint(ScriptRunner scripts, Keys keys) {
    this.scripts = scripts;
    Instant now = Instant.now();
    FixedSchedule weekly = new FixedSchedule(Duration.ofDays(7), Instant.EPOCH);
    Period current = weekly.periodAt(now, ZoneOffset.UTC);
    LimitTerms limit =
        new LimitTerms.Periodic(
            "weekly",
            "tokens",
            1_000_000_000_000_000L,
            ScheduleLabel.of(weekly, ZoneOffset.UTC),
            current,
            weekly.periodAfter(current, ZoneOffset.UTC),
            List.of(),
            LimitTerms.Emergencies.NONE,
            null);
    for (int n = 0; n < SUBJECTS; n++) {
      calls.add(prepared(keys, new SubjectId("bare-" + n), limit));
    }
  }

  private static Prepared prepared(Keys keys, SubjectId subject, LimitTerms limit) {
    Level level = new Level(subject, 0, 0, 1_000_000, List.of(limit));
    Scope scope = new Scope(subject, List.of(level), "api", 1);
    List<String> all = new ArrayList<>();
    all.add(keys.reservation(new ReservationId(TOKEN, subject)));
    all.add(keys.idempotency(subject, subject, 0, ""));
    all.addAll(keys.ofLevel(subject, level, "api"));
    Arguments arguments =
        new Arguments()
            .add(0)
            .add(TOKEN)
            .add(Duration.ofSeconds(2))
            .add(false)
            .add("")
            .add(Amounts.of("tokens", 10))
            .add(scope, 12);
    return new Prepared(all, arguments.values());
  }

  /** Runs the script, and says nothing of what came of it. */
  @POST
  @Path("bare")
  @Produces(MediaType.TEXT_PLAIN)
  public Uni<String> bare() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    Prepared call =
        calls
            .get(random.nextInt(SUBJECTS))
            .withToken(Long.toHexString(random.nextLong() | Long.MIN_VALUE));
    Arguments given = new Arguments();
    call.arguments().forEach(given::add);
    return scripts
        .run(Script.TAKE_RESERVATION, call.keys(), given)
        .map(reply -> reply.status() == Status.HELD ? "held" : "refused");
  }

  /** One such call as words of a command: the SHA-1, the number of keys, keys and arguments. */
  @GET
  @Path("command")
  @Produces(MediaType.TEXT_PLAIN)
  public String command() {
    Prepared call = calls.getFirst();
    List<String> words = new ArrayList<>();
    words.add(ScriptCatalogue.load().source(Script.TAKE_RESERVATION).sha1());
    words.add(Integer.toString(call.keys().size()));
    words.addAll(call.keys());
    words.addAll(call.arguments());
    return String.join("\n", words);
  }
}
