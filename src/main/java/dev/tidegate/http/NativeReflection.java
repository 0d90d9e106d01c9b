package dev.tidegate.http;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import dev.tidegate.document.Fault;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What Jackson looks at in a native executable, besides the answers, which are marked themselves:
 * the spelling of names, which is configured by its class, and faults, whose room knows no answers.
 */
@RegisterForReflection(targets = {SnakeCaseStrategy.class, Fault.class})
final class NativeReflection {

  private NativeReflection() {}
}
