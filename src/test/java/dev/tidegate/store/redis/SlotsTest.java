package dev.tidegate.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidegate.dev.RespConnection;
import dev.tidegate.dev.SystemRedis;
import dev.tidegate.domain.ReservationId;
import dev.tidegate.domain.SubjectId;
import io.vertx.redis.client.impl.ZModem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** G11 The slot that the client computes is that of Redis, and one for all keys of a root. */
class SlotsTest {

  private static final List<String> WEIRD =
      List.of(
          "}",
          "{",
          "{}",
          "}{",
          "a}b{c",
          "{a}",
          ":",
          "%",
          "%7B",
          "|",
          " ",
          "ä",
          "日本",
          "\uD83D\uDE00");

  private static final int RANDOM_IDS = 500;

  @TempDir Path folder;

  @Test
  void everyKeyOfARootLiesInTheSlotThatTheClientComputes() {
    Keys keys = new Keys("tidegate");
    try (SystemRedis redis = SystemRedis.start(0, folder, "--cluster-enabled", "yes");
        RespConnection node = redis.connect()) {
      for (String id : ids()) {
        SubjectId root = new SubjectId(id);
        Set<Integer> slots = new HashSet<>();
        for (String key : keysOf(keys, root)) {
          int slot = ZModem.generate(key.getBytes(StandardCharsets.UTF_8));
          assertEquals("" + slot, node.text("CLUSTER", "KEYSLOT", key), key);
          slots.add(slot);
        }
        assertEquals(1, slots.size(), id);
      }
      String plans = keys.plans();
      assertEquals("" + ZModem.generate(plans), node.text("CLUSTER", "KEYSLOT", plans));
    }
  }

  private static List<String> ids() {
    List<String> ids = new ArrayList<>(WEIRD);
    Random random = new Random(11);
    for (int n = 0; n < RANDOM_IDS; n++) {
      StringBuilder id = new StringBuilder();
      for (int length = 1 + random.nextInt(12); length > 0; length--) {
        id.append(random.nextBoolean() ? WEIRD.get(random.nextInt(WEIRD.size())) : "x" + n);
      }
      ids.add(id.toString());
    }
    return ids;
  }

  private static List<String> keysOf(Keys keys, SubjectId root) {
    SubjectId member = new SubjectId("}member{" + root.value());
    List<String> all = new ArrayList<>(keys.ofState(root, member, 1, "a resource"));
    all.add(keys.subject(root, member));
    all.add(keys.members(root, root));
    all.add(keys.resources(root, member, 1));
    all.add(keys.reservation(new ReservationId("token", root)));
    all.add(keys.idempotency(root, member, 1, "key"));
    all.add(keys.audit(root, member));
    return all;
  }
}
