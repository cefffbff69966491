package io.github.bloomgate.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.bloomgate.docs.MarkdownFile.Example;
import io.github.bloomgate.support.Found;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs every example of each page in order, and compares the output. */
@QuarkusTest
class ExamplesDocTest {

  /** These fields differ in each run, so only their format is compared. */
  private static final Set<String> MOMENTS = Set.of("createdAt", "expiresAt");

  private static final Pattern FILTER = Pattern.compile("v1/filters/([A-Za-z0-9._~:@-]+)");
  private static final Pattern SEQ =
      Pattern.compile("seq -f '([^']+)' (?:(\\d+) )?(\\d+) > (\\S+)");
  private static final Pattern PRINTF = Pattern.compile("printf '([^']+)' > (\\S+)");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TestHTTPResource URI service;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "README.md, 11",
    "docs/api.md, 44",
    "docs/filters.md, 1",
    "docs/migration.md, 4",
    "docs/rebuild.md, 11",
    "docs/recipes/blocklist.md, 5",
    "docs/recipes/daily.md, 4",
    "docs/recipes/deduplicate.md, 3",
    "docs/recipes/guard.md, 5",
    "docs/recipes/refresh.md, 6",
    "docs/recipes/revoke.md, 4"
  })
  void everyExamplePrintsTheOutputOnThePage(String page, int least) throws Exception {
    var examples = MarkdownFile.read(page).examples();
    assertTrue(examples.size() >= least, "examples found: " + examples.size());
    deleteFiltersOf(examples);
    for (var example : examples) {
      check(example);
    }
    deleteFiltersOf(examples);
  }

  @Test
  void everyPageWithExamplesIsRun() throws Exception {
    var run =
        ExamplesDocTest.class
            .getDeclaredMethod("everyExamplePrintsTheOutputOnThePage", String.class, int.class)
            .getAnnotation(CsvSource.class)
            .value();

    assertEquals(
        Stream.of(run).map(row -> row.replaceAll(",.*", "")).toList(),
        MarkdownFile.pages().stream()
            .map(page -> page.toString().replace('\\', '/'))
            .filter(page -> !MarkdownFile.read(page).examples().isEmpty())
            .toList());
  }

  /**
   * Otherwise, a reader who follows several pages would get other statuses and counts than shown.
   */
  @Test
  void noPageUsesAFilterOfAnotherPage() {
    var pages = new HashMap<String, Path>();
    for (var page : MarkdownFile.pages()) {
      for (var name : filtersOf(MarkdownFile.read(page.toString()).examples())) {
        var other = pages.putIfAbsent(name, page);
        assertNull(other, name + " is also a filter of " + page);
      }
    }
    assertTrue(pages.size() > 10, pages.toString());
  }

  private void deleteFiltersOf(List<Example> examples) throws Exception {
    for (var name : filtersOf(examples)) {
      var filter = service.resolve("/v1/filters/" + name + "?deleteKey=true");
      send(HttpRequest.newBuilder(filter).DELETE().build());
    }
  }

  private static Set<String> filtersOf(List<Example> examples) {
    return Found.in(
        examples.stream().map(Example::command).collect(Collectors.joining("\n")), FILTER);
  }

  private void check(Example example) throws Exception {
    if (!example.command().startsWith("curl ")) {
      makeFile(example.command());
      return;
    }
    var command = CurlCommand.parse(example.command(), service.getAuthority(), folder);
    var response = send(command.request());
    if (command.file().isPresent()) {
      Files.write(command.file().get(), response.body());
    }
    var body = new String(response.body(), UTF_8);
    switch (command.shows()) {
      case STATUS ->
          assertEquals(
              example.output(), Integer.toString(response.statusCode()), example.command());
      case BODY -> {
        if (!example.output().startsWith("{")) {
          assertEquals(example.output(), body.strip(), example.command());
          return;
        }
        var shown = JSON.readTree(example.output());
        var status = response.statusCode();
        assertEquals(shown.path("status").asInt(status), status, example.command());
        assertEquals(shown.has("status"), status >= 300, example.command());
        checkBody(example, example.output(), pick(body, command.fields()));
      }
      case HEAD_AND_BODY -> {
        var parts = example.output().split("\n\n", 2);
        checkHead(example, parts[0].lines().toList(), response);
        checkBody(example, parts[1], body);
      }
    }
  }

  private static void checkBody(Example example, String shown, String actual) throws IOException {
    assertEquals(masked(JSON.readTree(shown)), masked(JSON.readTree(actual)), example.command());
  }

  private void checkHead(Example example, List<String> shown, HttpResponse<byte[]> response) {
    assertEquals(
        shown.get(0).split(" ")[1], Integer.toString(response.statusCode()), example.command());
    var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (var line : shown.subList(1, shown.size())) {
      var header = line.split(": ", 2);
      names.add(header[0]);
      // Timestamps vary in length, and each request has its own id.
      if (!header[0].equals("content-length") && !header[0].equals("X-Request-Id")) {
        assertEquals(
            header[1].replace("localhost:8080", service.getAuthority()),
            response.headers().firstValue(header[0]).orElse(""),
            example.command());
      }
    }
    assertEquals(names, response.headers().map().keySet(), example.command());
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofByteArray());
  }

  private static String pick(String body, List<String> fields) throws IOException {
    return fields.isEmpty() ? body : ((ObjectNode) JSON.readTree(body)).retain(fields).toString();
  }

  /** Returns the document with its timestamps replaced, and 0.0 as 0. */
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
    // Part of a segment's key is random.
    return node.isTextual()
        ? JSON.getNodeFactory().textNode(node.textValue().replaceAll(":[0-9a-f]{16}:", ":random:"))
        : node;
  }

  private static JsonNode moment(JsonNode text) {
    Instant.parse(text.textValue());
    return JSON.getNodeFactory().textNode("a moment");
  }

  /** Creates the files that examples send, without a shell. */
  private void makeFile(String command) throws IOException {
    var seq = SEQ.matcher(command);
    if (seq.matches()) {
      var first = seq.group(2) == null ? 1 : Integer.parseInt(seq.group(2));
      var line = seq.group(1).replace("%.0f", "%d") + "\n";
      var lines =
          IntStream.rangeClosed(first, Integer.parseInt(seq.group(3)))
              .mapToObj(line::formatted)
              .collect(Collectors.joining());
      Files.writeString(folder.resolve(seq.group(4)), lines);
      return;
    }
    var printf = PRINTF.matcher(command);
    assertTrue(printf.matches(), "Not understood: " + command);
    Files.writeString(folder.resolve(printf.group(2)), printf.group(1).replace("\\n", "\n"));
  }
}
