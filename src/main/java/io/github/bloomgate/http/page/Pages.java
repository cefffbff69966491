package io.github.bloomgate.http.page;

import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.http.response.EntityTag;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.impl.MimeMapping;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The console and Swagger UI, served from memory. The framework would unpack them into the
 * machine's temporary folder and serve the files from there.
 */
@Singleton
class Pages {

  private static final String SWAGGER_UI = "/q/swagger-ui";

  /** The file in the service's jars for each path. */
  private static final Map<Pattern, String> FILES =
      Map.of(
          Pattern.compile("/(?:index\\.html)?"),
          "pages/index.html",
          Pattern.compile("/console/([a-z]+\\.(?:js|css))"),
          "pages/console/$1",
          Pattern.compile(
              "/console/(chart\\.js|lit-html)-(\\d+(?:\\.\\d+)*)/((?:[a-z]+/)?[a-z.-]+\\.js)"),
          "META-INF/resources/webjars/$1/$2/$3",
          Pattern.compile(SWAGGER_UI + "/(?:index\\.html)?"),
          "pages/swagger-ui/index.html",
          Pattern.compile(SWAGGER_UI + "/start\\.js"),
          "pages/swagger-ui/start.js",
          Pattern.compile(SWAGGER_UI + "/(swagger-ui-bundle\\.js|swagger-ui\\.css)"),
          "META-INF/resources/openapi-ui/$1");

  private final Map<String, Page> known = new ConcurrentHashMap<>();

  void register(@Observes Router router) {
    router
        .routeWithRegex("/|/index\\.html|/console/.*|" + SWAGGER_UI + ".*")
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .order(RequestOrder.PAGES)
        .handler(this::answer);
  }

  private void answer(RoutingContext context) {
    var path = context.normalizedPath();
    var page = Optional.ofNullable(known.get(path)).or(() -> read(path));
    if (page.isPresent()) {
      page.get().answer(context);
    } else if (path.equals(SWAGGER_UI)) {
      // Relative, because a proxy may have removed a prefix from the path.
      context.response().setStatusCode(302).putHeader(HttpHeaders.LOCATION, "swagger-ui/").end();
    } else {
      context.next();
    }
  }

  private Optional<Page> read(String path) {
    var page =
        FILES.entrySet().stream()
            .map(file -> Map.entry(file.getKey().matcher(path), file.getValue()))
            .filter(file -> file.getKey().matches())
            .findFirst()
            .flatMap(file -> Page.of(file.getKey().replaceFirst(file.getValue())));
    page.ifPresent(found -> known.put(path, found));
    return page;
  }

  /**
   * A file for browsers, held in memory.
   *
   * @param content off-heap and shared by responses, so that clients that do not read use no memory
   * @param tag changes with the content, so that browsers can revalidate
   */
  private record Page(Buffer content, String type, EntityTag tag) {

    /** No external or inline content, no frames. */
    private static final String POLICY =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Reads a file from the service's jars; empty if there is none. */
    static Optional<Page> of(String resource) {
      try (var file = Page.class.getClassLoader().getResourceAsStream(resource)) {
        if (file == null) {
          return Optional.empty();
        }
        var content = file.readAllBytes();
        var type = MimeMapping.getMimeTypeForFilename(resource) + ";charset=UTF-8";
        var shared = BufferImpl.buffer(Unpooled.directBuffer(content.length).writeBytes(content));
        return Optional.of(new Page(shared, type, EntityTag.of(content)));
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }

    void answer(RoutingContext context) {
      var request = context.request();
      var response =
          request
              .response()
              .putHeader("Content-Security-Policy", POLICY)
              // For browsers without support for the policy.
              .putHeader("X-Frame-Options", "DENY")
              .putHeader("Referrer-Policy", "no-referrer")
              .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
              .putHeader(HttpHeaders.ETAG, tag.text());
      if (tag.isHeldBy(request)) {
        response.setStatusCode(304).end();
        return;
      }
      response
          .putHeader(HttpHeaders.CONTENT_TYPE, type)
          // Also for HEAD, which has no content.
          .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()));
      if (request.method().equals(HttpMethod.HEAD)) {
        response.end();
      } else {
        Exchange.of(context).pace(0);
        response.end(content);
      }
    }
  }
}
