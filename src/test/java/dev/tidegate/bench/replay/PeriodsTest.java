package dev.tidegate.bench.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeriodsTest {

  @Test
  void onlyPeriodsOfTheSubjectItselfCount() throws JsonProcessingException {
    JsonNode limits =
        new ObjectMapper()
            .readTree(
                """
                [{"subject": "a", "name": "weekly", "period_id": "w/week", "seq": 7},
                 {"subject": "team", "name": "weekly", "period_id": "w/week", "seq": 7},
                 {"subject": "a", "name": "rate", "kind": "token_bucket"},
                 {"subject": "a", "name": "unopened", "period_id": null, "seq": null}]
                """);

    assertEquals(
        Set.of(new PeriodKey("a", "weekly", 7, "w/week")), Periods.current(limits, "a").keySet());
  }
}
