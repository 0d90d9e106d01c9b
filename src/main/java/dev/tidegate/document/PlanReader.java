package dev.tidegate.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidegate.document.PlansFile.PlanDocument;
import dev.tidegate.document.Reading.Invalid;
import dev.tidegate.domain.Amounts;
import dev.tidegate.domain.Identifiers;
import dev.tidegate.domain.LimitOverride;
import dev.tidegate.domain.Plan;
import dev.tidegate.domain.ResourceRules;
import dev.tidegate.domain.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the documents of the configuration. */
public final class PlanReader {

  /** The most resources of one plan. */
  public static final int MAX_RESOURCES = 64;

  /** The most plans of one file. */
  public static final int MAX_PLANS = 1000;

  private PlanReader() {}

  /**
   * A plan, as {@code PUT /v1/plans/{plan}} takes it.
   *
   * @param name the id of the plan; a fault of it has the path {@code $}
   */
  public static Reading<Plan> plan(String name, JsonNode document) {
    String fault = Identifiers.faultOfId(name);
    if (fault != null) {
      return new Invalid<>(List.of(new Fault(Path.ROOT.toString(), "has a name that " + fault)));
    }
    return Fields.read(document, Path.ROOT, value -> plan(name, value));
  }

  /** A file of plans. */
  public static Reading<PlansFile> plansFile(JsonNode document) {
    return Fields.read(document, PlanReader::plansFile);
  }

  /** A subject, as {@code PUT /v1/subjects/{subject}} takes it. */
  public static Reading<Subject> subject(JsonNode document) {
    return Fields.read(document, SubjectReader::subject);
  }

  /** A schedule and its zone, as a limit has them. */
  public static Reading<LimitOverride.Timing> schedule(JsonNode document) {
    return Fields.read(document, Path.ROOT, ScheduleReader::read);
  }

  private static PlansFile plansFile(Fields fields) {
    long revision = fields.requiredInteger("revision", 1, Amounts.MAX);
    String defaultPlan = fields.id("default_plan");
    Value value = fields.required("plans");
    Map<String, PlanDocument> plans =
        value == null ? null : value.byId(MAX_PLANS, PlanReader::planDocument);
    Value named = fields.optional("default_plan");
    if (named != null && defaultPlan != null && value != null && !value.node().has(defaultPlan)) {
      named.fault("is not one of the plans");
    }
    return new PlansFile(revision, defaultPlan, plans == null ? Map.of() : plans);
  }

  private static @Nullable PlanDocument planDocument(String name, Value value) {
    Plan plan = plan(name, value);
    return plan == null ? null : new PlanDocument(plan, value.node());
  }

  private static @Nullable Plan plan(String name, Value value) {
    return value.object(
        fields -> {
          Value resources = fields.required("resources");
          Map<String, ResourceRules> rules =
              resources == null ? null : resources.byId(MAX_RESOURCES, ResourceReader::read);
          if (resources != null) {
            refuseTakenAliases(resources);
          }
          return new Plan(name, rules == null ? Map.of() : rules);
        });
  }

  /** A name or alias means one resource of a plan; twice in one list is told there. */
  private static void refuseTakenAliases(Value resources) {
    Map<String, String> owners = new HashMap<>();
    resources.node().fieldNames().forEachRemaining(name -> owners.put(name, name));
    for (Map.Entry<String, JsonNode> property : resources.node().properties()) {
      String owner = property.getKey();
      Value resource = resources.field(owner);
      Value aliases = resource == null ? null : resource.field("aliases");
      if (aliases != null) {
        aliases.eachText((alias, text) -> refuseTaken(alias, text, owner, owners));
      }
    }
  }

  private static void refuseTaken(
      Value alias, String text, String owner, Map<String, String> owners) {
    String other = owners.putIfAbsent(text, owner);
    if (text.equals(owner)) {
      alias.fault("is the name of the resource itself");
    } else if (other != null && !other.equals(owner)) {
      alias.fault("is a name or alias of another resource of the plan");
    }
  }
}
