package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.ProjectFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Renders the Helm chart with Helm, which is available as a library for Linux on x86-64. */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class HelmChartTest {

  private static final String LABELS_OF_CHARTS =
      "(?m)^ +(helm\\.sh/chart|app\\.kubernetes\\.io/(instance|version|managed-by)): .*\\n";
  private static final String HOOKS = "(?m)^ +helm\\.sh/hook.*\\n";

  /** The chart, with its hooks as other objects, because the library does not render hooks. */
  @TempDir static Path chart;

  @BeforeAll
  static void copy() throws IOException {
    var hooks = 0;
    for (var file : ProjectFiles.under("deploy/helm")) {
      var text = ProjectFiles.text(file);
      var copy = chart.resolve(Path.of("deploy", "helm").relativize(file));
      Files.createDirectories(copy.getParent());
      Files.writeString(copy, text.replaceAll(HOOKS, ""));
      hooks += text.contains("helm.sh/hook: post-install,post-upgrade") ? 1 : 0;
    }
    assertEquals(1, hooks, "the job runs after each install and upgrade");
  }

  @Test
  void itHasNoFault() throws Exception {
    var result = withHelm(helm -> done(command(helm, "lint")));
    assertEquals(
        false,
        result.getClass().getMethod("isFailed").invoke(result),
        result.getClass().getMethod("getMessages").invoke(result).toString());
  }

  @Test
  void itMatchesThePlainManifests() throws Exception {
    var plain = new TreeMap<String, JsonNode>();
    KubernetesSchemaTest.manifests().forEach(object -> plain.put(name(object), object));
    plain.keySet().removeIf(object -> object.endsWith(" bloomgate-redis"));
    assertEquals(
        plain,
        rendered(
            Map.of(
                "serviceMonitor.enabled",
                "true",
                "networkPolicy.enabled",
                "true",
                "networkPolicy.redis[0].podSelector.matchLabels.app\\.kubernetes\\.io/name",
                "bloomgate-redis")));
    plain.remove("ServiceMonitor bloomgate");
    plain.remove("NetworkPolicy bloomgate");
    assertEquals(plain, rendered(Map.of()));
  }

  @Test
  void itsValuesAreUsed() throws Exception {
    var objects =
        rendered(
            Map.of(
                "image.repository", "registry/bloomgate",
                "image.tag", "v7",
                "replicaCount", "3",
                "redis", "",
                "keysSecret", "our-keys",
                "env[0].name", "QUARKUS_REDIS_HOSTS",
                "env[0].valueFrom.secretKeyRef.name", "our-redis",
                "env[0].valueFrom.secretKeyRef.key", "url",
                "javaOpts", "-Xmx1g",
                "resources.limits.memory", "1Gi"));
    var deployment = objects.get("Deployment bloomgate");
    var container = deployment.at("/spec/template/spec/containers/0");
    assertEquals(3, deployment.at("/spec/replicas").asInt());
    assertEquals("registry/bloomgate:v7", container.path("image").asText());
    assertEquals("1Gi", container.at("/resources/limits/memory").asText());
    assertEquals(
        "our-keys", deployment.at("/spec/template/spec/volumes/0/secret/secretName").asText());
    var redis = container.path("env").get(container.path("env").size() - 1);
    assertEquals("QUARKUS_REDIS_HOSTS", redis.path("name").asText());
    assertEquals("our-redis", redis.at("/valueFrom/secretKeyRef/name").asText());
    assertTrue(container.path("env").findValuesAsText("value").contains("-Xmx1g"));
    assertEquals(
        1,
        container.path("env").findValuesAsText("name").stream()
            .filter("QUARKUS_REDIS_HOSTS"::equals)
            .count());
  }

  @Test
  void podSettingsAreUsed() throws Exception {
    var deployment =
        rendered(
                Map.of(
                    "image.pullPolicy", "Always",
                    "tmpSize", "3Gi",
                    "imagePullSecrets[0].name", "our-registry",
                    "nodeSelector.disk", "ssd",
                    "tolerations[0].key", "dedicated",
                    "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
                        "zone",
                    "extraVolumes[0].name", "hash",
                    "extraVolumes[0].secret.secretName", "our-hash",
                    "extraVolumeMounts[0].name", "hash",
                    "extraVolumeMounts[0].mountPath", "/etc/hash"))
            .get("Deployment bloomgate");
    var pod = deployment.at("/spec/template/spec");
    assertEquals("Always", pod.at("/containers/0/imagePullPolicy").asText());
    assertEquals("3Gi", pod.at("/volumes/1/emptyDir/sizeLimit").asText());
    assertEquals("our-registry", pod.at("/imagePullSecrets/0/name").asText());
    assertEquals("ssd", pod.at("/nodeSelector/disk").asText());
    assertEquals("dedicated", pod.at("/tolerations/0/key").asText());
    assertEquals(
        "zone",
        pod.at(
                "/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/0/topologyKey")
            .asText());
    assertEquals("our-hash", pod.at("/volumes/2/secret/secretName").asText());
    assertEquals("/etc/hash", pod.at("/containers/0/volumeMounts/2/mountPath").asText());
    validate(deployment);
  }

  /** Selectors never change, so they have no version. */
  @Test
  void itsObjectsHaveTheStandardLabels() throws Exception {
    var objects =
        parse(
            template(
                "shop",
                Map.of(
                    "nameOverride",
                    "dedup",
                    "podLabels.team",
                    "crawler",
                    "podAnnotations.team",
                    "shop",
                    "serviceMonitor.enabled",
                    "true")));
    assertEquals(
        Set.of(
            "Deployment shop-dedup",
            "PodDisruptionBudget shop-dedup",
            "Service shop-dedup",
            "ServiceMonitor shop-dedup"),
        objects.keySet());
    objects
        .values()
        .forEach(
            object -> {
              var labels = object.at("/metadata/labels");
              assertEquals("dedup", labels.path("app.kubernetes.io/name").asText());
              assertEquals("shop", labels.path("app.kubernetes.io/instance").asText());
              assertEquals("0.1.0", labels.path("app.kubernetes.io/version").asText());
              assertEquals("Helm", labels.path("app.kubernetes.io/managed-by").asText());
              assertEquals("bloomgate-0.1.0", labels.path("helm.sh/chart").asText());
            });
    var selector = Map.of("app.kubernetes.io/name", "dedup", "app.kubernetes.io/instance", "shop");
    var deployment = objects.get("Deployment shop-dedup");
    assertEquals(selector, texts(deployment.at("/spec/selector/matchLabels")));
    assertEquals(selector, texts(objects.get("Service shop-dedup").at("/spec/selector")));
    var pod = texts(deployment.at("/spec/template/metadata/labels"));
    assertTrue(pod.entrySet().containsAll(selector.entrySet()), pod.toString());
    assertEquals("crawler", pod.get("team"));
    assertEquals("shop", deployment.at("/spec/template/metadata/annotations/team").asText());
  }

  @Test
  void autoscalingReplacesTheNumberOfReplicas() throws Exception {
    var objects = rendered(Map.of("autoscaling.enabled", "true", "autoscaling.maxReplicas", "9"));
    assertTrue(objects.get("Deployment bloomgate").at("/spec/replicas").isMissingNode());
    var scaler = objects.get("HorizontalPodAutoscaler bloomgate");
    assertEquals("bloomgate", scaler.at("/spec/scaleTargetRef/name").asText());
    assertEquals(9, scaler.at("/spec/maxReplicas").asInt());
    validate(scaler);
  }

  @Test
  void anAccountOfItsOwnGetsNoToken() throws Exception {
    var objects = rendered(Map.of("serviceAccount.create", "true"));
    var account = objects.get("ServiceAccount bloomgate");
    assertEquals(false, account.path("automountServiceAccountToken").asBoolean(true));
    assertEquals(
        "bloomgate",
        objects.get("Deployment bloomgate").at("/spec/template/spec/serviceAccountName").asText());
    validate(account);
  }

  @Test
  void aJobCreatesItsFilters() throws Exception {
    var objects =
        rendered(
            Map.of(
                "filters[0].name", "urls:seen",
                "filters[0].expectedInsertions", "50000000",
                "filters[0].whenFull", "reject",
                "networkPolicy.enabled", "true",
                "filtersJob.keySecret", "our-admin"));
    var data = objects.get("ConfigMap bloomgate-filters").path("data");
    assertEquals("urls:seen", data.path("0.name").asText());
    assertEquals(
        ProjectFiles.documents("{expectedInsertions: 50000000, whenFull: reject}").get(0),
        ProjectFiles.documents(data.path("0.json").asText()).get(0));
    var job = objects.get("Job bloomgate-filters");
    var pod = job.at("/spec/template");
    assertEquals("our-admin", pod.at("/spec/volumes/1/secret/secretName").asText());
    assertTrue(
        pod.at("/spec/containers/0/args/0")
            .asText()
            .contains("http://bloomgate:8080/v1/filters/$name"));
    assertEquals(
        texts(pod.at("/metadata/labels")),
        texts(
            objects
                .get("NetworkPolicy bloomgate")
                .at("/spec/ingress/0/from/1/podSelector/matchLabels")),
        "the policy lets the job through");
    validate(job);
    validate(objects.get("ConfigMap bloomgate-filters"));
  }

  @ParameterizedTest
  @CsvSource({
    "image, bloomgate:0.1.0, image",
    "replicas, 3, replicas",
    "filters[0].expectedInsertions, 1000, name",
    "service.type, ExternalName, service",
  })
  void aWrongValueIsRefusedByName(String value, String content, String named) {
    var refused = assertThrows(Exception.class, () -> rendered(Map.of(value, content)));
    var reasons = new StringWriter();
    refused.printStackTrace(new PrintWriter(reasons));
    assertTrue(reasons.toString().contains(named), reasons.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          redis://redis.example:6379                        | 6379
          rediss://user:1234@redis.example:6380/2           | 6380
          redis://redis.example                             | 6379
          redis://[fd00::1]:7000                            | 7000
          redis://a:26379,redis://b:26380,redis://c:26379   | 26379 26380
          ''                                                | 6379
          """)
  void itsPolicyLetsTheServiceReachTheRedisOfTheValue(String redis, String ports) throws Exception {
    var policy = policy(Map.of("redis", redis));

    var rule = policy.at("/spec/egress/0");
    assertEquals(ports, String.join(" ", rule.findValuesAsText("port")));
    assertTrue(rule.path("to").isMissingNode(), "anywhere");
    validate(policy);
  }

  @Test
  void itsPolicyAllowsWhatIsConfigured() throws Exception {
    var policy =
        policy(
            Map.of(
                "ingress.enabled", "true",
                "ingress.host", "bloom.example.com",
                "networkPolicy.redisPorts[0]", "6380",
                "networkPolicy.egress[0].ports[0].port", "4317"));

    assertEquals(List.of("6379", "6380"), policy.at("/spec/egress/0").findValuesAsText("port"));
    assertEquals(4317, policy.at("/spec/egress/2/ports/0/port").asInt());
    assertEquals(
        List.of("ingress-nginx"),
        policy.at("/spec/ingress/0").findValuesAsText("kubernetes.io/metadata.name"));
    validate(policy);
  }

  /** A rule with an empty list would allow everyone. */
  @Test
  void itsPolicyAllowsNoClientOfAnEmptyList() throws Exception {
    var none = Map.of("networkPolicy.clients", "null", "networkPolicy.monitoring", "null");
    var policy = policy(none);
    assertEquals(0, policy.at("/spec/ingress").size());
    assertEquals("[\"Ingress\",\"Egress\"]", policy.at("/spec/policyTypes").toString());
    validate(policy);

    var onlyThroughIngress = new TreeMap<>(none);
    onlyThroughIngress.putAll(
        Map.of("ingress.enabled", "true", "ingress.host", "bloom.example.com"));
    var rules = policy(onlyThroughIngress).at("/spec/ingress");
    assertEquals(1, rules.size());
    assertEquals(1, rules.at("/0/from").size());
  }

  @Test
  void itsIngressHasTls() throws Exception {
    var values =
        Map.of(
            "ingress.enabled", "true",
            "ingress.className", "nginx",
            "ingress.host", "bloom.example.com",
            "ingress.tlsSecret", "bloom-tls",
            "ingress.annotations.size", "unlimited");

    var ingress = rendered(values).get("Ingress bloomgate");

    assertEquals("nginx", ingress.at("/spec/ingressClassName").asText());
    assertEquals("bloom.example.com", ingress.at("/spec/rules/0/host").asText());
    assertEquals("bloom.example.com", ingress.at("/spec/tls/0/hosts/0").asText());
    assertEquals("bloom-tls", ingress.at("/spec/tls/0/secretName").asText());
    assertEquals("unlimited", ingress.at("/metadata/annotations/size").asText());
    validate(ingress);
  }

  private static JsonNode policy(Map<String, String> values) throws Exception {
    var all = new TreeMap<>(values);
    all.put("networkPolicy.enabled", "true");
    return rendered(all).get("NetworkPolicy bloomgate");
  }

  private static void validate(JsonNode object) throws Exception {
    try (var client = RecipeParts.loader()) {
      KubernetesSchemaTest.validate(client, object);
    }
  }

  /** Without the labels that plain manifests lack. */
  private static Map<String, JsonNode> rendered(Map<String, String> values) throws Exception {
    return parse(template("bloomgate", values).replaceAll(LABELS_OF_CHARTS, ""));
  }

  private static String template(String release, Map<String, String> values) throws Exception {
    return (String)
        withHelm(
            helm -> {
              var template = command(helm, "template");
              template.getClass().getMethod("withName", String.class).invoke(template, release);
              var set = template.getClass().getMethod("set", String.class, Object.class);
              for (var value : values.entrySet()) {
                set.invoke(template, value.getKey(), value.getValue());
              }
              return done(template);
            });
  }

  private static Map<String, String> texts(JsonNode object) {
    var texts = new TreeMap<String, String>();
    object.properties().forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
    return texts;
  }

  private static Object command(Object helm, String name) throws ReflectiveOperationException {
    return helm.getClass().getMethod(name).invoke(helm);
  }

  private static Object done(Object command) throws ReflectiveOperationException {
    return command.getClass().getMethod("call").invoke(command);
  }

  /** Calls Helm. It finds its library with the thread's context class loader. */
  private static Object withHelm(UseOfHelm use) throws Exception {
    var thread = Thread.currentThread();
    var own = thread.getContextClassLoader();
    try (var loader = RecipeParts.loader()) {
      thread.setContextClassLoader(loader);
      var helm = loader.loadClass("com.marcnuri.helm.Helm");
      return use.on(helm.getConstructor(Path.class).newInstance(chart));
    } finally {
      thread.setContextClassLoader(own);
    }
  }

  private interface UseOfHelm {
    Object on(Object helm) throws Exception;
  }

  /** Indexes the objects by kind and name. */
  private static Map<String, JsonNode> parse(String yaml) {
    var objects = new TreeMap<String, JsonNode>();
    ProjectFiles.documents(yaml).stream()
        .filter(JsonNode::isObject)
        .forEach(object -> objects.put(name(object), object));
    return objects;
  }

  private static String name(JsonNode object) {
    return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
  }
}
