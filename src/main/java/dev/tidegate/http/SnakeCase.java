package dev.tidegate.http;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Keeps the spelling of names, which is configured and looked for by its class name, in reach. */
@RegisterForReflection(targets = SnakeCaseStrategy.class)
final class SnakeCase {

  private SnakeCase() {}
}
