package dev.tidegate.http;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tidegate.service.Answer;
import dev.tidegate.store.Outcome.ReservationState;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bodies of metering answers. */
final class Answers {

  private Answers() {}

  static String word(ReservationState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** A reservation that was taken. */
  @RegisterForReflection
  record Held(
      String id,
      String state,
      Instant expiresAt,
      Map<String, Long> amounts,
      boolean replayed,
      Map<String, @Nullable Long> available,
      List<LimitView> limits,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Warning> warnings) {}

  /**
   * A dry run.
   *
   * @param refusal the members of the problem that the call would get
   */
  @RegisterForReflection
  record DryRun(
      boolean allowed,
      @JsonAnyGetter Map<String, Object> refusal,
      Map<String, @Nullable Long> available,
      List<LimitView> limits,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Warning> warnings) {}

  /** A settlement. */
  @RegisterForReflection
  record Settled(
      String id,
      String state,
      Map<String, Long> charged,
      boolean late,
      boolean replayed,
      Map<String, @Nullable Long> available,
      List<LimitView> limits,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Warning> warnings) {}

  /**
   * A reservation or a charge that was let through because the store does not answer.
   *
   * @param amounts what it would have taken
   */
  @RegisterForReflection
  record Degraded(boolean degraded, Map<String, Long> amounts) {

    static Response of(Answer.Degraded<?> answer) {
      return Response.ok(new Degraded(true, answer.amounts().byMeter())).build();
    }
  }

  /** A release. */
  @RegisterForReflection
  record Released(String id, String state, boolean replayed) {}

  /** An extension. */
  @RegisterForReflection
  record Extended(String id, String state, Instant expiresAt, boolean capped, boolean replayed) {}

  /** A reservation as it is now. */
  @RegisterForReflection
  record Reservation(
      String id,
      String state,
      Instant takenAt,
      Instant expiresAt,
      Map<String, Long> amounts,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> charged) {}

  /** A charge. */
  @RegisterForReflection
  record Charged(
      Map<String, Long> charged,
      boolean replayed,
      Map<String, @Nullable Long> available,
      List<LimitView> limits,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Warning> warnings) {}
}
