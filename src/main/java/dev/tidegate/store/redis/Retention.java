package dev.tidegate.store.redis;

import dev.tidegate.store.Author;
import java.time.Duration;

/**
 * How long audit trails are kept.
 *
 * @param kept how long each event is, a day or longer
 * @param events how many of each trail are, the newest of them, 1 to 1,000,000
 */
record Retention(Duration kept, int events) {

  /** The arguments of a change with what each ends with; see {@code lib/configuration.lua}. */
  Arguments with(Author author, Arguments arguments) {
    return arguments.add(author.name()).add(author.role()).add(kept).add(events);
  }

  /** The same with fewer events. */
  Retention atMost(int most) {
    return new Retention(kept, Math.min(events, most));
  }
}
