package dev.tidegate.http;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import dev.tidegate.document.Fault;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Keeps in reach, in a native executable, what is looked for by reflection and is not ours to
 * annotate: the spelling of names, and what other rooms know and problems tell.
 */
@RegisterForReflection(targets = {SnakeCaseStrategy.class, Fault.class})
final class Reflected {

  private Reflected() {}
}
