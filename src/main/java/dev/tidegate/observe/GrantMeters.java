package dev.tidegate.observe;

import dev.tidegate.service.CallObserver.GrantKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts grants, and what top-ups add. */
final class GrantMeters {

  private final MeterRegistry registry;
  private final Map<GrantKind, Bounded<Counter>> grants = new EnumMap<>(GrantKind.class);
  private final Map<GrantKind, Bounded<Counter>> units = new EnumMap<>(GrantKind.class);

  GrantMeters(MeterRegistry registry) {
    this.registry = registry;
    for (GrantKind kind : GrantKind.values()) {
      grants.put(kind, new Bounded<>(Code.values().length, code -> grant(kind, code)));
      units.put(kind, new Bounded<>(CallMeters.MAX_METERS, meter -> added(kind, meter)));
      count(kind, Code.GRANTED, 0);
    }
  }

  private Counter grant(GrantKind kind, String code) {
    return Counter.builder("tidegate.grants")
        .description("Top-ups and resets that were asked for")
        .tag("kind", word(kind))
        .tag("code", code)
        .register(registry);
  }

  private Counter added(GrantKind kind, String meter) {
    return Counter.builder("tidegate.topup.units")
        .description("Units that top-ups have added")
        .tag("kind", word(kind))
        .tag("meter", meter)
        .register(registry);
  }

  static String word(GrantKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private void count(GrantKind kind, Code code, int times) {
    Objects.requireNonNull(grants.get(kind)).of(code.word()).increment(times);
  }

  /** One grant was asked for. */
  void count(GrantKind kind, Code code) {
    count(kind, code, 1);
  }

  /** A top-up added units of a meter. */
  void add(GrantKind kind, String meter, long amount) {
    Objects.requireNonNull(units.get(kind)).of(meter).increment((double) amount);
  }
}
