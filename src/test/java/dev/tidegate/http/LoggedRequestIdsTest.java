package dev.tidegate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.junit.jupiter.api.Test;

/** The id of a request in the log, which only a service in this process shows to a test. */
@QuarkusTest
class LoggedRequestIdsTest extends HttpSuite {

  private static final String HEADER = "X-Request-Id";

  /** Keeps the ids of the records of one logger. */
  private static final class Ids extends Handler {

    private final List<String> ids = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord record) {
      ids.add(String.valueOf(ExtLogRecord.wrap(record).getMdc("request_id")));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void whatIsLoggedAfterTheStoreAnsweredHasTheIdOfItsOwnRequest() {
    String subject = subjectWith(1);
    assertStatus(200, charge(subject, 1));
    Logger logger = Logger.getLogger(ProblemMapper.class.getName());
    Ids logged = new Ids();
    Level before = logger.getLevel();
    logger.setLevel(Level.FINE);
    logger.addHandler(logged);
    try {
      for (String id : List.of("first", "second", "third")) {
        Response answer =
            as(METER, "{'use_held':true}")
                .header(HEADER, id)
                .post(reservationPath(subject, "unknown") + "/settle");
        assertProblem(404, "reservation-not-found", answer);
        assertProblem(429, "quota-exhausted", overdraw(subject, id));
      }
    } finally {
      logger.removeHandler(logged);
      logger.setLevel(before);
    }
    assertEquals(List.of("first", "first", "second", "second", "third", "third"), logged.ids);
  }

  private static Response overdraw(String subject, String id) {
    return as(METER, tokens(1)).header(HEADER, id).post(quotaPath(subject) + "/charges");
  }
}
