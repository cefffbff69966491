package io.github.bloomgate.http.page;

import io.github.bloomgate.http.order.RequestOrder;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The console and Swagger UI, served from memory. The framework would unpack them into the
 * machine's temporary folder and serve the files from there.
 */
@Singleton
class Pages {

  private static final String SWAGGER_UI = "/q/swagger-ui";

  /** No external or inline content, no frames. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** The files of the page at the root. */
  private static final List<String> CONSOLE =
      List.of(
          "console.css",
          "actions.js",
          "answers.js",
          "api.js",
          "ask.js",
          "attempt.js",
          "condition.js",
          "connection.js",
          "create.js",
          "creation.js",
          "curl.js",
          "described.js",
          "dialog.js",
          "elements.js",
          "fields.js",
          "figures.js",
          "filter.js",
          "first.js",
          "growth.js",
          "health.js",
          "key.js",
          "list.js",
          "listing.js",
          "lit.js",
          "load.js",
          "main.js",
          "moves.js",
          "names.js",
          "numbers.js",
          "order.js",
          "overview.js",
          "page.js",
          "parts.js",
          "past.js",
          "plot.js",
          "promise.js",
          "reading.js",
          "rebuild.js",
          "row.js",
          "settings.js",
          "several.js",
          "sizes.js",
          "state.js",
          "transfer.js",
          "window.js");

  /** The files to serve from each library of the console. */
  private static final Map<String, List<String>> LIBRARIES =
      Map.of(
          "chart.js",
          List.of("dist/chart.umd.min.js"),
          "lit-html",
          List.of(
              "lit-html.js",
              "async-directive.js",
              "directive.js",
              "directive-helpers.js",
              "directives/guard.js",
              "directives/keyed.js",
              "directives/repeat.js"));

  private static final Map<String, Page> PAGES = pages();

  private static Map<String, Page> pages() {
    var pages = new LinkedHashMap<String, Page>();
    pages.put("/", Page.of("pages/index.html", POLICY));
    pages.put("/index.html", pages.get("/"));
    for (var file : CONSOLE) {
      pages.put("/console/" + file, Page.of("pages/console/" + file, POLICY));
    }
    LIBRARIES.forEach((library, files) -> putLibrary(pages, library, files));
    pages.put(SWAGGER_UI + "/", Page.of("pages/swagger-ui/index.html", POLICY));
    pages.put(SWAGGER_UI + "/index.html", pages.get(SWAGGER_UI + "/"));
    pages.put(SWAGGER_UI + "/start.js", Page.of("pages/swagger-ui/start.js", POLICY));
    for (var file : new String[] {"swagger-ui-bundle.js", "swagger-ui.css"}) {
      pages.put(SWAGGER_UI + "/" + file, Page.of("META-INF/resources/openapi-ui/" + file, POLICY));
    }
    return Map.copyOf(pages);
  }

  private static void putLibrary(Map<String, Page> pages, String library, List<String> files) {
    var version = versionOf("org.webjars.npm/" + library);
    for (var file : files) {
      pages.put(
          "/console/" + library + "-" + version + "/" + file,
          Page.of("META-INF/resources/webjars/" + library + "/" + version + "/" + file, POLICY));
    }
  }

  /** The version of a jar, from its Maven metadata. */
  private static String versionOf(String artifact) {
    var path = "META-INF/maven/" + artifact + "/pom.properties";
    try (var file = Pages.class.getClassLoader().getResourceAsStream(path)) {
      var properties = new Properties();
      properties.load(file);
      return properties.getProperty("version");
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  void register(@Observes Router router) {
    router
        .route()
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .order(RequestOrder.PAGES)
        .handler(Pages::answer);
  }

  private static void answer(RoutingContext context) {
    var path = context.normalizedPath();
    var page = PAGES.get(path);
    if (page != null) {
      page.answer(context.request());
    } else if (path.equals(SWAGGER_UI)) {
      // Relative, because a proxy may have removed a prefix from the path.
      context.response().setStatusCode(302).putHeader(HttpHeaders.LOCATION, "swagger-ui/").end();
    } else {
      context.next();
    }
  }
}
