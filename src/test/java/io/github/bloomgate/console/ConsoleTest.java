package io.github.bloomgate.console;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Found;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The console is served completely, only uses the public API, and runs under a strict policy. */
@QuarkusTest
class ConsoleTest {

  private static final Pattern API_PATH = Pattern.compile("(/v1[^'\"`\\s]*)");
  private static final Pattern CONTRACT_PATH = Pattern.compile("^  (/v1\\S*):$", Pattern.MULTILINE);
  private static final Pattern ASSET = Pattern.compile("(?:src|href)=\"([\\w./-]+\\.\\w+)\"");
  private static final Pattern ID_USED = Pattern.compile("\\$\\('([\\w-]+)'");
  private static final Pattern MODULE = Pattern.compile("from '\\./([\\w-]+\\.js)'");
  private static final Pattern LIBRARY = Pattern.compile("'\\./([\\w.-]+-[\\d.]+/[^']+)'");
  private static final Pattern NEXT_TO = Pattern.compile("from\"(\\.[^\"]+)\"");
  private static final String MAIN = "main.js";
  private static final Pattern ID = Pattern.compile("(?: id=\"|\\bid: ')([\\w-]+)");

  @Test
  void pageIsServedAtTheRoot() {
    get("/")
        .then()
        .statusCode(200)
        .contentType(startsWith("text/html"))
        .body(containsString("<title>Bloomgate</title>"));
  }

  @Test
  void pagesRunUnderAStrictPolicyAndInNoFrame() {
    for (var page : List.of("/", "/index.html", "/q/swagger-ui", "/q/swagger-ui/")) {
      var answer = get(page);

      assertEquals(200, answer.statusCode());
      assertTrue(answer.contentType().startsWith("text/html"), answer.contentType());
      assertEquals("DENY", answer.header("X-Frame-Options"));
      assertEquals("nosniff", answer.header("X-Content-Type-Options"));
      var policy = List.of(answer.header("Content-Security-Policy").split("; *"));
      for (var rule :
          List.of(
              "default-src 'none'",
              "script-src 'self'",
              "connect-src 'self'",
              "base-uri 'none'",
              "form-action 'none'",
              "frame-ancestors 'none'")) {
        assertTrue(policy.contains(rule), page + " lacks " + rule);
      }
      assertFalse(policy.toString().contains("unsafe"), page);
    }
    get("/v1/filters").then().statusCode(200).header("X-Frame-Options", nullValue());
  }

  @Test
  void aPageIsSentAgainOnlyWhenItHasChanged() {
    var tag = get("/console/main.js").header("ETag");

    given().header("If-None-Match", tag).get("/console/main.js").then().statusCode(304);
    given().header("If-None-Match", "*").get("/console/main.js").then().statusCode(304);
    given().header("If-None-Match", "W/" + tag).get("/console/main.js").then().statusCode(304);
    for (var path : List.of("/", "/console/main.js", "/q/swagger-ui/start.js")) {
      assertEquals("no-cache", get(path).header("Cache-Control"), "requested again on each visit");
    }
    given().header("If-None-Match", "\"other\"").get("/console/main.js").then().statusCode(200);
    var head = given().head("/console/main.js");
    assertEquals(tag, head.header("ETag"));
    assertEquals(get("/console/main.js").header("Content-Length"), head.header("Content-Length"));
  }

  @Test
  void swaggerUiComesFromThePackageAndHasNothingInline() {
    var page = get("/q/swagger-ui/").asString();
    var assets = Found.in(page, ASSET);

    assertEquals(Set.of("swagger-ui.css", "swagger-ui-bundle.js", "start.js"), assets);
    for (var asset : assets) {
      get("/q/swagger-ui/" + asset).then().statusCode(200);
    }
    assertFalse(page.contains("<script>"), page);
  }

  @Test
  void assetsOfThePageAreServedWithTheirTypes() {
    assertEquals(Set.of("console/console.css", "console/main.js"), Found.in(page(), ASSET));
    get("/console/console.css").then().statusCode(200).contentType(startsWith("text/css"));
    for (var module : modules()) {
      get("/console/" + module).then().statusCode(200).contentType(containsString("javascript"));
    }
  }

  /**
   * Only the library files that the page loads are served, under paths that change with their
   * version.
   */
  @Test
  void onlyLoadedLibraryFilesAreServed() {
    var files = new TreeSet<String>();
    var open = new ArrayDeque<>(Found.in(script(), LIBRARY));
    while (!open.isEmpty()) {
      var file = open.remove();
      if (files.add(file)) {
        var answer = get("/console/" + file);
        assertEquals(200, answer.statusCode(), file);
        assertTrue(answer.contentType().contains("javascript"), file);
        for (var next : Found.in(answer.asString(), NEXT_TO)) {
          open.add(URI.create(file).resolve(next).toString());
        }
      }
    }
    var libraries =
        files.stream()
            .map(file -> file.substring(0, file.indexOf('/')))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(2, libraries.size(), libraries.toString());
    for (var library : libraries) {
      var version = library.substring(library.lastIndexOf('-') + 1);
      var name = library.substring(0, library.lastIndexOf('-'));
      for (var other :
          List.of(
              "/console/" + library + "/package.json",
              "/webjars/" + name + "/" + version + "/package.json")) {
        get(other).then().statusCode(404);
      }
    }
    for (var file : files) {
      get("/console/" + file.replaceFirst("-[\\d.]+/", "-1.0.0/")).then().statusCode(404);
      get("/webjars/" + file.replaceFirst("-([\\d.]+/)", "/$1")).then().statusCode(404);
    }
  }

  @Test
  void linksLeadSomewhere() {
    var links = Found.in(script(), Pattern.compile("href=\"(q/[^\"]*)\""));

    assertFalse(links.isEmpty());
    for (var link : links) {
      get("/" + link).then().statusCode(200);
    }
  }

  /** A proxy may have stripped a prefix from the path. */
  @Test
  void noAddressBeginsAtTheRootOfTheHost() {
    var page = page();
    var script = script();
    for (var absolute : new String[] {"href=\"/", "src=\"/", "location.origin", "'/q"}) {
      assertFalse(page.contains(absolute) || script.contains(absolute), absolute);
    }
  }

  @Test
  void scriptCallsPathsOfTheContractOnly() throws Exception {
    var called = Found.in(script(), API_PATH);
    var contract = Found.in(Files.readString(Path.of("openapi.yaml")), CONTRACT_PATH);

    assertTrue(called.contains("/v1/filters"), called.toString());
    assertTrue(contract.containsAll(called), called + " are not all of " + contract);
  }

  /** The gate is for proxies, which take only its status, and frames are for programs. */
  @Test
  void everyOperationIsInTheConsole() throws Exception {
    var missing = Found.in(Files.readString(Path.of("openapi.yaml")), CONTRACT_PATH);
    missing.removeAll(Found.in(script(), API_PATH));

    assertEquals(
        Set.of("/v1/ext-authz", "/v1/gate", "/v1/gate/{name}", "/v1/filters/{name}/follow"),
        missing);
  }

  @Test
  void scriptUsesElementsThatItMakes() {
    var script = script();
    var used = Found.in(script, ID_USED);

    assertFalse(used.isEmpty());
    assertTrue(Found.in(script, ID).containsAll(used), used.toString());
  }

  @Test
  void nothingIsInlineForeignOrUnescaped() {
    var page = page();
    var script = script();
    for (var inline : new String[] {"<style", " style=", " onclick=", " onload=", "javascript:"}) {
      assertFalse(page.contains(inline) || script.contains(inline), inline);
    }
    assertEquals(1, page.split("<script", -1).length - 1, "only one script, from a file");
    // The only address is the name of the SVG language in the icon, which no browser fetches.
    assertFalse(page.replace("http://www.w3.org/2000/svg", "").contains("://"), "no foreign host");
    for (var text : new String[] {script, get("/console/console.css").asString()}) {
      assertFalse(text.contains("://"), "no foreign host");
    }
    for (var unsafe :
        new String[] {"innerHTML", "outerHTML", "insertAdjacent", "unsafe", "eval(", "write("}) {
      assertFalse(script.contains(unsafe), unsafe);
    }
  }

  private static String page() {
    return get("/").asString();
  }

  private static String script() {
    return modules().stream()
        .map(module -> get("/console/" + module).asString())
        .collect(Collectors.joining("\n"));
  }

  /** The first module, and all that it imports directly or indirectly. */
  private static Set<String> modules() {
    var found = new TreeSet<String>();
    var open = new ArrayDeque<>(List.of(MAIN));
    while (!open.isEmpty()) {
      var module = open.remove();
      if (found.add(module)) {
        open.addAll(Found.in(get("/console/" + module).asString(), MODULE));
      }
    }
    return found;
  }

  @Test
  void everyModuleIsUsedAndShort() throws Exception {
    var folder = Path.of("src/main/resources/pages/console");
    try (var files = Files.list(folder)) {
      var scripts =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".js"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(scripts, modules());
    }
    for (var module : modules()) {
      assertTrue(Files.readAllLines(folder.resolve(module)).size() < 200, module);
    }
  }
}
