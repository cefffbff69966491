package io.github.bloomgate.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.bloomgate.docs.MarkdownFile.Example;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs every example of the README in its order and compares what it prints. */
@QuarkusTest
class ReadmeExamplesTest {

  /** Different at every run: compared in kind only. */
  private static final Set<String> MOMENTS = Set.of("createdAt", "expiresAt");

  private static final Pattern FILTER = Pattern.compile("v1/filters/([A-Za-z0-9._~:@-]+)");
  private static final List<String> TOOLS = List.of("bash", "curl", "seq");
  private static final String UPLOAD = " -T ";
  private static final int LOADED = 25_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TestHTTPResource URI service;

  @TempDir Path folder;

  @Test
  void everyExamplePrintsWhatTheReadmeShows() throws Exception {
    var examples = MarkdownFile.read("README.md").examples();
    assertTrue(examples.size() > 20, "examples found: " + examples.size());
    deleteFiltersOf(examples);
    for (var example : examples) {
      check(example);
    }
  }

  @TestFactory
  Stream<DynamicTest> anExampleThatDriftedIsNoticed() {
    var shown = "{\"name\": \"a\", \"n\": 0.01, \"createdAt\": \"2026-01-02T03:04:05.006Z\"}";
    return Stream.of(
            Map.entry("another value", shown.replace("0.01", "0.02")),
            Map.entry("a field less", "{\"name\": \"a\", \"n\": 0.01}"),
            Map.entry("no moment", shown.replace("\"2026-01-02T03:04:05.006Z\"", "null")))
        .map(
            drift ->
                dynamicTest(
                    drift.getKey(),
                    () -> assertTrue(!masked(shown).equals(masked(drift.getValue())))));
  }

  private void deleteFiltersOf(List<Example> examples) throws Exception {
    var names = new TreeSet<String>();
    for (var example : examples) {
      var name = FILTER.matcher(example.command());
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    for (var name : names) {
      send(HttpRequest.newBuilder(service.resolve("/v1/filters/" + name)).DELETE().build());
    }
  }

  private void check(Example example) throws Exception {
    if (!example.command().startsWith("curl ") || example.command().contains(UPLOAD)) {
      assertEquals(example.output(), shell(example.command()), example.command());
      return;
    }
    var command = CurlCommand.parse(example.command(), service.getAuthority());
    var response = send(command.request());
    switch (command.shows()) {
      case STATUS ->
          assertEquals(
              example.output(), Integer.toString(response.statusCode()), example.command());
      case BODY -> {
        var shown = JSON.readTree(example.output());
        var status = response.statusCode();
        assertEquals(shown.path("status").asInt(status), status, example.command());
        assertEquals(shown.has("status"), status >= 300, example.command());
        checkBody(example, example.output(), pick(response.body(), command.fields()));
      }
      case HEAD_AND_BODY -> {
        var parts = example.output().split("\n\n", 2);
        checkHead(example, parts[0].lines().toList(), response);
        checkBody(example, parts[1], response.body());
      }
    }
  }

  private static void checkBody(Example example, String shown, String actual) throws IOException {
    assertEquals(masked(shown), masked(actual), example.command());
  }

  private void checkHead(Example example, List<String> shown, HttpResponse<String> response) {
    assertEquals(
        shown.get(0).split(" ")[1], Integer.toString(response.statusCode()), example.command());
    for (var line : shown.subList(1, shown.size())) {
      var header = line.split(": ", 2);
      // The moments in a body are not all of one length.
      if (!header[0].equals("content-length")) {
        assertEquals(
            header[1].replace("localhost:8080", service.getAuthority()),
            response.headers().firstValue(header[0]).orElse(""),
            example.command());
      }
    }
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  private static String pick(String body, List<String> fields) throws IOException {
    return fields.isEmpty() ? body : ((ObjectNode) JSON.readTree(body)).retain(fields).toString();
  }

  /**
   * The document with its moments replaced, and its numbers as one type: 0 and 0.0 are the same.
   */
  private static JsonNode masked(String json) throws IOException {
    return masked(JSON.readTree(json));
  }

  private static JsonNode masked(JsonNode node) {
    if (node.isNumber()) {
      return JSON.getNodeFactory().numberNode(node.doubleValue());
    }
    if (node.isArray()) {
      var array = JSON.createArrayNode();
      node.forEach(item -> array.add(masked(item)));
      return array;
    }
    if (node.isObject()) {
      var object = JSON.createObjectNode();
      for (var field : node.properties()) {
        var isMoment = MOMENTS.contains(field.getKey()) && field.getValue().isTextual();
        object.set(field.getKey(), isMoment ? moment(field.getValue()) : masked(field.getValue()));
      }
      return object;
    }
    return node;
  }

  private static JsonNode moment(JsonNode text) {
    Instant.parse(text.textValue());
    return JSON.getNodeFactory().textNode("a moment");
  }

  /** Runs a command that is more than one curl, where its tools are there. */
  private String shell(String command) throws Exception {
    if (!TOOLS.stream().allMatch(ReadmeExamplesTest::isInstalled)) {
      return withoutTools(command);
    }
    var process =
        new ProcessBuilder("bash", "-c", command.replace("localhost:8080", service.getAuthority()))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertEquals(0, process.waitFor(), command + "\n" + output);
    return output;
  }

  private static boolean isInstalled(String tool) {
    return Arrays.stream(System.getenv("PATH").split(System.getProperty("path.separator")))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
  }

  /** The uploads, of what the files would hold: the examples after them need their elements. */
  private String withoutTools(String command) throws Exception {
    if (!command.contains(UPLOAD)) {
      return "";
    }
    var adds = command.contains("emails/add");
    var lines =
        adds
            ? IntStream.rangeClosed(1, LOADED)
                .mapToObj("user%d@example.com\n"::formatted)
                .collect(Collectors.joining())
            : "user1@example.com\nnew@example.com\n";
    var target = "/v1/filters/emails/" + (adds ? "add" : "test?return=absent");
    var request =
        HttpRequest.newBuilder(service.resolve(target))
            .header("content-type", "text/plain")
            .POST(BodyPublishers.ofString(lines))
            .build();
    return send(request).body().strip();
  }
}
