package dev.tidegate.store.redis;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Which server answers for which slot, as far as is known. */
final class Routes {

  /** The slots of a cluster. */
  static final int SLOTS = 16_384;

  private final AtomicReferenceArray<@Nullable URI> bySlot = new AtomicReferenceArray<>(SLOTS);

  /** Notes a server for slots, both ends included. */
  void put(int first, int last, URI server) {
    for (int slot = first; slot <= last; slot++) {
      bySlot.set(slot, server);
    }
  }

  /** The server that answers for a slot, or null where nobody does. */
  @Nullable URI of(int slot) {
    return bySlot.get(slot);
  }

  /** Every server that answers for a slot, the one of the lowest slot first. */
  Set<URI> servers() {
    Set<URI> servers = new LinkedHashSet<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      URI server = bySlot.get(slot);
      if (server != null) {
        servers.add(server);
      }
    }
    return servers;
  }
}
