package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The Helm chart, rendered by Helm itself, which comes as a library for Linux on x86-64. */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class HelmChartTest {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path CHART = Path.of("deploy", "helm").toAbsolutePath();
  private static final Path MANIFESTS = Path.of("deploy", "kubernetes");

  @Test
  void itHasNoFault() throws Exception {
    var result = withHelm(helm -> done(command(helm, "lint")));
    assertEquals(
        false,
        result.getClass().getMethod("isFailed").invoke(result),
        result.getClass().getMethod("getMessages").invoke(result).toString());
  }

  /** So the schemas that these are compared with hold for the chart too. */
  @Test
  void withItsDefaultsItIsThePlainManifests() throws Exception {
    var plain = new TreeMap<String, JsonNode>();
    try (var files = Files.walk(MANIFESTS)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        plain.putAll(objects(Files.readString(file)));
      }
    }
    plain.keySet().removeIf(object -> object.endsWith(" bloomgate-redis"));
    assertEquals(plain, rendered(Map.of("serviceMonitor.enabled", "true")));
    plain.remove("ServiceMonitor bloomgate");
    assertEquals(plain, rendered(Map.of()));
  }

  @Test
  void itsValuesAreUsed() throws Exception {
    var objects =
        rendered(
            Map.of(
                "image", "registry/bloomgate:7",
                "replicas", "3",
                "redis", "",
                "keysSecret", "our-keys",
                "env[0].name", "QUARKUS_REDIS_HOSTS",
                "env[0].valueFrom.secretKeyRef.name", "our-redis",
                "env[0].valueFrom.secretKeyRef.key", "url",
                "memory", "1Gi",
                "networkPolicy.enabled", "false"));
    assertTrue(objects.keySet().stream().noneMatch(name -> name.startsWith("NetworkPolicy")));
    var deployment = objects.get("Deployment bloomgate");
    var container = deployment.at("/spec/template/spec/containers/0");
    assertEquals(3, deployment.at("/spec/replicas").asInt());
    assertEquals("registry/bloomgate:7", container.path("image").asText());
    assertEquals("1Gi", container.at("/resources/limits/memory").asText());
    assertEquals(
        "our-keys", deployment.at("/spec/template/spec/volumes/0/secret/secretName").asText());
    var redis = container.path("env").get(container.path("env").size() - 1);
    assertEquals("QUARKUS_REDIS_HOSTS", redis.path("name").asText());
    assertEquals("our-redis", redis.at("/valueFrom/secretKeyRef/name").asText());
    assertEquals(
        1,
        container.path("env").findValuesAsText("name").stream()
            .filter("QUARKUS_REDIS_HOSTS"::equals)
            .count());
  }

  private static Map<String, JsonNode> rendered(Map<String, String> values) throws Exception {
    var yaml =
        withHelm(
            helm -> {
              var template = command(helm, "template");
              template.getClass().getMethod("withName", String.class).invoke(template, "bloomgate");
              var set = template.getClass().getMethod("set", String.class, Object.class);
              for (var value : values.entrySet()) {
                set.invoke(template, value.getKey(), value.getValue());
              }
              return done(template);
            });
    return objects((String) yaml);
  }

  private static Object command(Object helm, String name) throws ReflectiveOperationException {
    return helm.getClass().getMethod(name).invoke(helm);
  }

  private static Object done(Object command) throws ReflectiveOperationException {
    return command.getClass().getMethod("call").invoke(command);
  }

  /** Uses Helm on the chart; it looks for its library by the loader of the thread. */
  private static Object withHelm(UseOfHelm use) throws Exception {
    var thread = Thread.currentThread();
    var own = thread.getContextClassLoader();
    try (var loader = RecipeParts.loader()) {
      thread.setContextClassLoader(loader);
      var helm = loader.loadClass("com.marcnuri.helm.Helm");
      return use.on(helm.getConstructor(Path.class).newInstance(CHART));
    } finally {
      thread.setContextClassLoader(own);
    }
  }

  private interface UseOfHelm {
    Object on(Object helm) throws Exception;
  }

  /** By kind and name. */
  private static Map<String, JsonNode> objects(String yaml) throws IOException {
    var objects = new TreeMap<String, JsonNode>();
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
      while (documents.hasNextValue()) {
        var object = documents.nextValue();
        if (object.isObject()) {
          objects.put(
              object.path("kind").asText() + " " + object.at("/metadata/name").asText(), object);
        }
      }
    }
    return objects;
  }
}
