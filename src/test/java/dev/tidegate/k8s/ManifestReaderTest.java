package dev.tidegate.k8s;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A manifest with one thing wrong is refused, however deep it stands, and the fault is named. */
class ManifestReaderTest {

  /**
   * A manifest that was good.
   *
   * @param file of {@code k8s}
   * @param right what stands in it
   * @param wrong what stands there instead
   * @param fault what the refusal says
   */
  record Broken(String file, String right, String wrong, String fault) {}

  static Stream<Broken> broken() {
    return Stream.of(
        new Broken("base/deployment.yaml", "apps/v1", "apps/v2", "apps/v2 Deployment"),
        new Broken("base/deployment.yaml", "kind: Deployment", "kind: Deploy", "apps/v1 Deploy"),
        new Broken("base/deployment.yaml", "  strategy:", "  strategie:", "strategie"),
        new Broken("base/deployment.yaml", "maxSurge:", "maxSurges:", "maxSurges"),
        new Broken("base/deployment.yaml", "seccompProfile:", "seccomProfile:", "seccomProfile"),
        new Broken("base/deployment.yaml", "RootFilesystem:", "RootFileSystem:", "RootFileSystem"),
        new Broken("base/deployment.yaml", "drop:", "drops:", "drops"),
        new Broken("base/deployment.yaml", "path: /q/health/live", "paths: /q", "paths"),
        new Broken("base/deployment.yaml", "secretKeyRef:", "secretKeyRefs:", "secretKeyRefs"),
        new Broken("base/deployment.yaml", "key: password", "keyname: password", "keyname"),
        new Broken("base/deployment.yaml", "sizeLimit:", "sizelimit:", "sizelimit"),
        new Broken("base/deployment.yaml", "matchLabels:", "matchLabel:", "matchLabel"),
        new Broken(
            "base/deployment.yaml", "failureThreshold: 60", "failureThreshold: no", "Boolean"),
        new Broken(
            "base/deployment.yaml", "failureThreshold: 60", "failureThreshold: '6'", "String"),
        new Broken("base/deployment.yaml", "value: 5s", "value: 5", "Integer"),
        new Broken("base/deployment.yaml", "value: 5s", "value: on", "Boolean"),
        new Broken("base/deployment.yaml", "kind: Dep", "kind: A\nkind: Dep", "duplicate key kind"),
        new Broken("base/deployment.yaml", "spec:", "spec: {", "flow mapping"),
        new Broken("base/service.yaml", "targetPort:", "targetport:", "targetport"),
        new Broken("base/autoscaler.yaml", "averageValue:", "averageValues:", "averageValues"),
        new Broken("base/autoscaler.yaml", "scaleDown:", "scaleDowns:", "scaleDowns"),
        new Broken("base/disruption-budget.yaml", "maxUnavailable:", "maxUnavail:", "maxUnavail"),
        new Broken("base/network-policy.yaml", "podSelector:", "podSelectors:", "podSelectors"),
        new Broken("base/network-policy.yaml", "namespaceSelector:", "namespace:", "namespace"),
        new Broken("config/service-account.yaml", "automountService", "automount", "automount"),
        new Broken("config/kustomization.yaml", "NameSuffixHash:", "NameSuffix:", "NameSuffix"),
        new Broken("knative/service.yaml", "containerConcurrency:", "concurrency:", "concurrency"),
        new Broken("knative/service.yaml", "periodSeconds:", "periodsSeconds:", "periodsSeconds"),
        new Broken("knative/service.yaml", "mountPath:", "mountpath:", "mountpath"),
        new Broken("knative/service.yaml", "min-scale: \"0\"", "min-scale: 0", "Integer"),
        new Broken("monitoring/rules.yaml", "severity:", "severity: 1 #", "Integer"),
        new Broken("monitoring/rules.yaml", "for: 2m", "fors: 2m", "fors"),
        new Broken("monitoring/rules.yaml", "annotations:", "annotation:", "annotation"),
        new Broken("monitoring/service-monitor.yaml", "scrapeTimeout:", "timeout:", "timeout"),
        new Broken("redis/kustomization.yaml", "configMapGenerator:", "configMaps:", "configMaps"),
        new Broken("redis/stateful-set.yaml", "ClaimTemplates:", "ClaimTemplate:", "ClaimTemplate"),
        new Broken("redis/stateful-set.yaml", "accessModes:", "accessMode:", "accessMode"),
        new Broken("demo/kustomization.yaml", "secretGenerator:", "secrets:", "secrets"),
        new Broken("secrets.example.yaml", "stringData:", "stringdata:", "stringdata"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void oneThingWrongIsFoundAndNamed(Broken broken) {
    String text = Manifests.text(Manifests.HOME.resolve(broken.file()));
    assertFalse(ManifestReader.read(text).isEmpty());
    assertTrue(text.contains(broken.right()), () -> "nothing to break: " + broken);

    String damaged = text.replaceFirst(quoted(broken.right()), broken.wrong());
    var fault = assertThrows(ManifestReader.Fault.class, () -> ManifestReader.read(damaged));
    assertTrue(fault.toString().contains(broken.fault()), fault::toString);
  }

  @Test
  void whatIsWrongInTheSecondDocumentIsFoundAsWell() {
    String text = Manifests.text(Manifests.EXAMPLE_SECRETS);
    int last = text.lastIndexOf("stringData");
    String damaged = text.substring(0, last) + "strings" + text.substring(last + 10);
    assertThrows(ManifestReader.Fault.class, () -> ManifestReader.read(damaged));
  }

  private static String quoted(String text) {
    return Pattern.quote(text);
  }
}
