package dev.tidegate.k8s;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.kustomize.v1beta1.Kustomization;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads manifests as strictly as a server that is asked to: a field that its kind does not have, a
 * number where a text belongs and a key given twice are faults.
 *
 * <p>YAML is read as Kubernetes reads it, where {@code on} and {@code no} are truth values. The
 * models swallow fields that they do not know into {@code additionalProperties}, so these are
 * looked through, however deep.
 */
final class ManifestReader {

  private static final String SWALLOWED = "additionalProperties";

  private static final String MODELS = "io.fabric8.";

  private static final Map<String, Class<?>> KINDS =
      Map.ofEntries(
          Map.entry("v1 ConfigMap", ConfigMap.class),
          Map.entry("v1 Namespace", Namespace.class),
          Map.entry("v1 Pod", Pod.class),
          Map.entry("v1 Secret", Secret.class),
          Map.entry("v1 Service", Service.class),
          Map.entry("v1 ServiceAccount", ServiceAccount.class),
          Map.entry("apps/v1 Deployment", Deployment.class),
          Map.entry("apps/v1 StatefulSet", StatefulSet.class),
          Map.entry("autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
          Map.entry("kustomize.config.k8s.io/v1beta1 Kustomization", Kustomization.class),
          Map.entry("monitoring.coreos.com/v1 PodMonitor", PodMonitor.class),
          Map.entry("monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class),
          Map.entry("monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class),
          Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
          Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("serving.knative.dev/v1 Service", io.fabric8.knative.serving.v1.Service.class));

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              texts ->
                  texts
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail))
          .build();

  private ManifestReader() {}

  /** What is wrong with a manifest, and where. */
  static final class Fault extends RuntimeException {

    Fault(String message) {
      super(message);
    }
  }

  /**
   * Reads every document of a text.
   *
   * @throws Fault if one of them is at fault
   */
  static List<JsonNode> read(String yaml) {
    List<JsonNode> documents = trees(yaml);
    documents.forEach(ManifestReader::check);
    return documents;
  }

  /**
   * Reads every document of a text without regard to what it is.
   *
   * @throws Fault if it is no YAML
   */
  static List<JsonNode> trees(String yaml) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    List<JsonNode> documents = new ArrayList<>();
    try {
      for (Object tree : new Yaml(new SafeConstructor(options)).loadAll(yaml)) {
        documents.add(MAPPER.valueToTree(tree));
      }
    } catch (YAMLException malformed) {
      throw new Fault(malformed.toString());
    }
    return documents;
  }

  private static void check(JsonNode document) {
    String kind = document.path("apiVersion").asText() + " " + document.path("kind").asText();
    Class<?> type = KINDS.get(kind);
    if (type == null) {
      throw new Fault("no kind that is known: " + kind);
    }
    try {
      refuseSwallowed(MAPPER.treeToValue(document, type), kind);
    } catch (JsonProcessingException misfit) {
      throw new Fault(kind + ": " + misfit.getOriginalMessage());
    } catch (IllegalAccessException hidden) {
      throw new IllegalStateException(hidden);
    }
  }

  /** Walks through all that a model holds. */
  private static void refuseSwallowed(@Nullable Object value, String path)
      throws IllegalAccessException {
    switch (value) {
      case Collection<?> items -> {
        int at = 0;
        for (Object item : items) {
          refuseSwallowed(item, path + "[" + at++ + "]");
        }
      }
      case Map<?, ?> entries -> {
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
          refuseSwallowed(entry.getValue(), path + "." + entry.getKey());
        }
      }
      case null -> {}
      default -> {
        if (value.getClass().getName().startsWith(MODELS)) {
          refuseSwallowedOf(value, path);
        }
      }
    }
  }

  private static void refuseSwallowedOf(Object model, String path) throws IllegalAccessException {
    for (Class<?> type = model.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        field.setAccessible(true);
        Object held = field.get(model);
        if (field.getName().equals(SWALLOWED) && held instanceof Map<?, ?> fields) {
          if (!fields.isEmpty()) {
            throw new Fault(path + " has no field " + fields.keySet());
          }
        } else {
          refuseSwallowed(held, path + "." + field.getName());
        }
      }
    }
  }
}
