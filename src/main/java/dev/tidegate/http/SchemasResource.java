package dev.tidegate.http;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.RestPath;

/** The JSON Schemas of plans, plans files and subjects; they refer to each other by these names. */
@Path("/v1/schemas/{schema}")
@PermitAll
@Produces("application/schema+json")
class SchemasResource {

  private static final List<String> NAMES =
      List.of("plan.schema.json", "plans-file.schema.json", "subject.schema.json");

  private final Map<String, String> byName = new LinkedHashMap<>();

  private final Targets targets;

  SchemasResource(Targets targets) {
    this.targets = targets;
    NAMES.forEach(name -> byName.put(name, read(name)));
  }

  private static String read(String name) {
    try (InputStream in = SchemasResource.class.getResourceAsStream("/schemas/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the schema " + name + " is not part of the service");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @GET
  public String schema(@RestPath String schema) {
    targets.refuseAmbiguousPath();
    String found = byName.get(schema);
    if (found == null) {
      throw Problem.of(ProblemCode.NOT_FOUND, "the schemas are " + NAMES).exception();
    }
    return found;
  }
}
