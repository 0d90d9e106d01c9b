package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.http.RawCalls.Answer;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Callers that race each other. */
@QuarkusTest
class ConcurrencyTest extends HttpSuite {

  private static final int CALLERS = 32;

  /** The answers to {@code count} calls of which {@value #CALLERS} are always under way. */
  private static List<Answer> race(int count, String path, String body)
      throws InterruptedException, ExecutionException {
    CyclicBarrier start = new CyclicBarrier(Math.min(CALLERS, count));
    try (RawCalls calls = new RawCalls();
        ExecutorService callers = Executors.newFixedThreadPool(Math.min(CALLERS, count))) {
      Callable<Answer> call =
          () -> {
            start.await();
            return calls.send(METER, "POST", path, body);
          };
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> answer : callers.invokeAll(Collections.nCopies(count, call))) {
        answers.add(answer.get());
      }
      return answers;
    }
  }

  private static long count(List<Answer> answers, int status) {
    return answers.stream().filter(answer -> answer.status() == status).count();
  }

  @Test
  @DisplayName("A1 Of two reserves for the last units exactly one is granted")
  void a1() throws InterruptedException, ExecutionException {
    String subject = subjectWith(100);
    List<Answer> answers = race(2, quotaPath(subject) + "/reservations", tokens(60));
    assertEquals(1, count(answers, 201));
    assertEquals(1, count(answers, 429));
    answers.stream()
        .filter(answer -> answer.status() == 429)
        .forEach(denied -> assertEquals(40, denied.body().path("remaining").asInt()));
    assertEquals("0/60", usedAndHeld(subject));
  }

  @Test
  @DisplayName("A2 Of 1024 parallel reserves of one unit exactly ten are granted")
  void a2() throws InterruptedException, ExecutionException {
    String subject = subjectWith(10);
    List<Answer> answers = race(1024, quotaPath(subject) + "/reservations", tokens(1));
    assertEquals(10, count(answers, 201));
    assertEquals(1014, count(answers, 429));
    Set<String> resets =
        answers.stream()
            .filter(answer -> answer.status() == 429)
            .map(answer -> answer.body().path("reset_at").asText())
            .collect(Collectors.toSet());
    assertEquals(Set.of("2029-12-31T12:00:00Z"), resets);
    assertEquals("0/10", usedAndHeld(subject));
  }

  @Test
  @DisplayName("A2 Eight parallel first charges of a subject count eight")
  void a2First() throws InterruptedException, ExecutionException {
    String subject = subjectWith(10);
    assertEquals(8, count(race(8, quotaPath(subject) + "/charges", tokens(1)), 200));
    assertEquals("8/0", usedAndHeld(subject));
  }

  @Test
  @DisplayName("B6 Parallel identical settlements charge once")
  void b6() throws InterruptedException, ExecutionException {
    String subject = subjectWith(100);
    String id = held(subject, 50);
    List<Answer> answers = race(32, reservationPath(subject, id) + "/settle", tokens(20));
    assertEquals(32, count(answers, 200));
    long first = answers.stream().filter(a -> !a.body().path("replayed").asBoolean()).count();
    assertEquals(1, first);
    assertEquals("20/0", usedAndHeld(subject));
  }

  @Test
  void parallelSettlementsOfWhatIsHeldChargeItOnce()
      throws InterruptedException, ExecutionException {
    String subject = subjectWith(100);
    String id = held(subject, 3);
    String path = reservationPath(subject, id) + "/settle";
    assertEquals(16, count(race(16, path, "{'use_held':true}"), 200));
    assertEquals("3/0", usedAndHeld(subject));
  }
}
