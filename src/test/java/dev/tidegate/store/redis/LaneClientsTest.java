package dev.tidegate.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.RedisOptions;
import org.junit.jupiter.api.Test;

/** What the client of a lane is made with. */
class LaneClientsTest {

  @Test
  void theOptionsOfThePlatformsOwnClientStayAsTheyAre() {
    RedisOptions configured =
        new RedisOptions().setNetClientOptions(new NetClientOptions().setSoLinger(7));
    RedisOptions lane = LaneClients.laneOptions(configured);
    assertEquals(0, lane.getNetClientOptions().getSoLinger());
    assertEquals(7, configured.getNetClientOptions().getSoLinger());
  }
}
