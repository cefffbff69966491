package io.github.bloomgate.docs;

import static io.restassured.RestAssured.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Found;
import io.github.bloomgate.support.Interpreter;
import io.github.bloomgate.support.ProjectFiles;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The deployment files match each other and the service. */
@QuarkusTest
class DeploymentFilesTest {

  private static final Path UNIT = Path.of("deploy", "systemd", "bloomgate.service");
  private static final Pattern VARIABLE =
      Pattern.compile("^Environment=(BLOOMGATE_[A-Z_]+)=", Pattern.MULTILINE);
  private static final Pattern VOLUME = Pattern.compile("^(\\./[^:]+):", Pattern.MULTILINE);

  @Test
  void selectorsMatchTheInstances() {
    var pods = deployment().at("/spec/template");
    var labels = pods.at("/metadata/labels");
    assertEquals(labels, deployment().at("/spec/selector/matchLabels"));
    assertEquals(labels, object("Service", "bloomgate").at("/spec/selector"));
    assertEquals(
        labels, object("PodDisruptionBudget", "bloomgate").at("/spec/selector/matchLabels"));
    assertEquals(labels, object("NetworkPolicy", "bloomgate").at("/spec/podSelector/matchLabels"));
    assertEquals(
        object("Service", "bloomgate").at("/metadata/labels"),
        object("ServiceMonitor", "bloomgate").at("/spec/selector/matchLabels"));
    var redis = object("StatefulSet", "bloomgate-redis");
    assertEquals(
        redis.at("/spec/template/metadata/labels"),
        object("Service", "bloomgate-redis").at("/spec/selector"));
    assertTrue(
        object("PodDisruptionBudget", "bloomgate").at("/spec/maxUnavailable").asInt()
            < deployment().at("/spec/replicas").asInt());
  }

  @Test
  void portsMatchTheService() {
    var http = port(container(), "http");
    var management = port(container(), "management");
    assertEquals(8080, http);
    assertEquals(Integer.toString(management), setting("BLOOMGATE_MANAGEMENT_PORT"));
    for (var offered : object("Service", "bloomgate").at("/spec/ports")) {
      assertEquals(
          offered.path("port").asInt(), port(container(), offered.path("targetPort").asText()));
    }
    var scraped = object("ServiceMonitor", "bloomgate").at("/spec/endpoints/0");
    assertEquals("management", scraped.path("port").asText());
    get(scraped.path("path").asText()).then().statusCode(200);
    var allowed = object("NetworkPolicy", "bloomgate").findValues("port").toString();
    for (var port : List.of(http, management, 6379, 53)) {
      assertTrue(allowed.contains(port.toString()), allowed);
    }
    var redis = object("StatefulSet", "bloomgate-redis").at("/spec/template/spec/containers/0");
    assertEquals(
        "redis://%s:%d"
            .formatted(
                object("Service", "bloomgate-redis").at("/metadata/name").asText(),
                port(redis, "redis")),
        setting("QUARKUS_REDIS_HOSTS"));
  }

  @Test
  void ourRedisKeepsItsFiltersAndVersion() {
    var pod = object("StatefulSet", "bloomgate-redis").at("/spec/template/spec/containers/0");
    var service = ProjectFiles.yaml("docker-compose.yml").at("/services/redis");
    for (var redis : List.of(pod.path("args"), service.path("command"))) {
      for (var option : List.of("appendonly\",\"yes", "noeviction", "maxmemory\",\"1gb")) {
        assertTrue(redis.toString().contains(option + "\""), redis + " lacks " + option);
      }
    }
    var image = pod.path("image").asText();
    assertTrue(image.matches("redis:\\d+\\.\\d+\\.\\d+"), image);
    assertEquals("${REDIS_IMAGE:-" + image + "}", service.path("image").asText());
  }

  @Test
  void probesUsePathsOfTheManagementPort() {
    for (var kind : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      var probe = container().path(kind).path("httpGet");
      assertEquals("management", probe.path("port").asText(), kind);
      get(probe.path("path").asText()).then().statusCode(200);
    }
  }

  @Test
  void theSettingsAreDocumented() {
    var known =
        MarkdownFile.read("docs/configuration.md").rows().stream()
            .map(row -> MarkdownFile.code(row.get(0)))
            .map(name -> name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    var set = new ArrayList<String>();
    container().path("env").forEach(variable -> set.add(variable.path("name").asText()));
    ProjectFiles.yaml("docker-compose.yml")
        .at("/services/bloomgate/environment")
        .fieldNames()
        .forEachRemaining(set::add);
    set.addAll(Found.in(ProjectFiles.text(UNIT), VARIABLE));

    assertTrue(set.size() > 5, set.toString());
    set.removeAll(known);
    assertEquals(List.of(), set);
    // Kubernetes would define variables for each service: bloomgate-management, for example, would
    // set the management port.
    assertFalse(deployment().at("/spec/template/spec/enableServiceLinks").asBoolean(true));
  }

  @Test
  void theImageMatchesTheDockerfile() {
    var dockerfile = ProjectFiles.text(Path.of("Dockerfile"));
    var pom = ProjectFiles.text(Path.of("pom.xml"));
    var version = container().path("image").asText().replace("bloomgate:", "");
    assertTrue(pom.contains("<artifactId>bloomgate</artifactId>\n  <version>" + version), version);
    assertTrue(dockerfile.contains("image.version=\"%s\"".formatted(version)), "its label");
    var user = deployment().at("/spec/template/spec/securityContext/runAsUser").asText();
    assertTrue(dockerfile.contains("USER %s:".formatted(user)), user);
    for (var copied : List.of("docs/configuration.md", "deploy/image/archive.sh")) {
      assertTrue(dockerfile.contains("COPY " + copied), copied);
      assertTrue(Files.exists(Path.of(copied)), copied);
    }
    var archive = "/app/bloomgate.aot";
    var settings = " @/app/bloomgate.vmoptions ";
    assertTrue(dockerfile.contains("archive.sh " + archive + settings), "made");
    for (var started : List.of("ENTRYPOINT [%s]\n", "CMD [%s, \"health\"]\n")) {
      var line = started.formatted("\"/app/bin/bloomgate\"");
      assertTrue(dockerfile.contains(line), line);
    }
  }

  @Test
  void theImageHasTheNativeLibraryWhereJavaLooksForIt() {
    var dockerfile = ProjectFiles.text(Path.of("Dockerfile"));
    assertTrue(
        dockerfile.contains("lib/main/io.netty.netty-transport-native-epoll-*.jar"), "taken out");
    assertTrue(
        dockerfile.contains("/build/native/META-INF/native/ /usr/java/packages/lib/\n"), "copied");
  }

  @Test
  void composeLetsTheServiceFinishAndProbesItWithoutAJvm() throws Exception {
    var service = ProjectFiles.yaml("docker-compose.yml").at("/services/bloomgate");
    assertEquals("45s", service.path("stop_grace_period").asText());
    var probe = Contract.texts(service.at("/healthcheck/test"));
    assertEquals(List.of("CMD", "bash", "-c"), probe.subList(0, 3));
    Interpreter.assume("bash", "--version");
    var script = probe.get(3).replace("$$", "$").replace("/8080", "/" + RestAssured.port);
    assertEquals("0 ", Interpreter.run(Path.of("."), "bash", "-c", script));
    var elsewhere = script.replace("/q/health/ready", "/q/health/missing");
    assertEquals("1 ", Interpreter.run(Path.of("."), "bash", "-c", elsewhere));
  }

  @Test
  void theUnitLetsTheServiceFinishAndStopItsRedis() {
    var unit = ProjectFiles.text(UNIT);
    var program = "/opt/bloomgate/bin/bloomgate";
    assertTrue(unit.contains("\nExecStart=" + program + "\n"), "the service");
    assertTrue(unit.contains("\nExecStartPost=-" + program + " health --wait "), "its health");
    assertTrue(unit.contains("\nKillMode=mixed\n"), "as docs/embedded-redis.md says");
    assertTrue(unit.contains("\nTimeoutStopSec=45s\n"), "longer than quarkus.shutdown.timeout");
  }

  @Test
  void theReadmeUsesTheShippedJvmSettings() {
    var folder = "target/quarkus-app/";
    var command = "java @" + folder + "bloomgate.vmoptions -jar " + folder + "quarkus-run.jar";
    assertTrue(MarkdownFile.read("README.md").text().contains(command), command);
    var settings = ProjectFiles.text(Path.of("src/main/jvm/bloomgate.vmoptions"));
    assertTrue(settings.lines().anyMatch("-Xmx256m"::equals), "the heap");
  }

  @Test
  void memoryAndTimeoutsMatchTheDocumentation() {
    var resources = container().path("resources");
    assertEquals("700Mi", resources.at("/limits/memory").asText());
    assertEquals(resources.at("/limits/memory"), resources.at("/requests/memory"));
    var delay = Integer.parseInt(setting("QUARKUS_SHUTDOWN_DELAY").replace("s", ""));
    var grace = deployment().at("/spec/template/spec/terminationGracePeriodSeconds").asInt();
    assertTrue(grace > delay + 30, "longer than delay and quarkus.shutdown.timeout");
  }

  @Test
  void monitoringFindsTheServiceAndItsFiles() {
    var compose = ProjectFiles.yaml("docker-compose.yml");
    var volumes =
        compose.at("/services").findValues("volumes").stream()
            .flatMap(some -> Contract.texts(some).stream())
            .collect(Collectors.joining("\n"));
    var mounted = Found.in(volumes, VOLUME);
    assertTrue(mounted.contains("./docs/monitoring/grafana-dashboard.json"), mounted.toString());
    for (var file : mounted) {
      assertTrue(Files.exists(Path.of(file)), file);
    }
    for (var name : Set.of("prometheus", "grafana")) {
      assertEquals("monitoring", compose.at("/services/%s/profiles/0".formatted(name)).asText());
    }
    var scrape = ProjectFiles.yaml("deploy/monitoring/prometheus.yml").at("/scrape_configs/0");
    assertEquals("bloomgate", scrape.path("job_name").asText(), "as the alerts say");
    assertEquals("bloomgate:8080", scrape.at("/static_configs/0/targets/0").asText());
    get(scrape.path("metrics_path").asText()).then().statusCode(200);
    assertEquals(
        "/run/secrets/" + compose.at("/services/prometheus/secrets/0").asText(),
        scrape.at("/authorization/credentials_file").asText());
  }

  private static JsonNode deployment() {
    return object("Deployment", "bloomgate");
  }

  private static JsonNode container() {
    return deployment().at("/spec/template/spec/containers/0");
  }

  private static String setting(String name) {
    for (var variable : container().path("env")) {
      if (variable.path("name").asText().equals(name)) {
        return variable.path("value").asText();
      }
    }
    throw new AssertionError("no " + name);
  }

  private static int port(JsonNode container, String name) {
    for (var port : container.path("ports")) {
      if (port.path("name").asText().equals(name)) {
        return port.path("containerPort").asInt();
      }
    }
    throw new AssertionError("no port " + name);
  }

  private static JsonNode object(String kind, String name) {
    return KubernetesSchemaTest.manifests().stream()
        .filter(object -> object.path("kind").asText().equals(kind))
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }
}
