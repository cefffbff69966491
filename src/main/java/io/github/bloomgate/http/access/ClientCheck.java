package io.github.bloomgate.http.access;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;

/**
 * Refuses clients that may not use the service at all, before any other work and without looking at
 * their keys. If no key is required, only local programs may use it; never may requests that a page
 * of another site makes a browser send.
 */
@Singleton
public class ClientCheck {

  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");
  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");

  /**
   * Open to all clients, because monitoring usually runs on another machine. Exact paths, as sent.
   */
  private static final Set<String> HEALTH =
      Set.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started");

  /** A proxy might decide by one of two such headers, and the service by the other. */
  private static final List<CharSequence> ONCE =
      List.of(HttpHeaders.HOST, HttpHeaders.ORIGIN, HttpHeaders.AUTHORIZATION);

  private static final CharSequence SEC_FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");
  private static final CharSequence SEC_FETCH_MODE = HttpHeaders.createOptimized("sec-fetch-mode");
  private static final CharSequence FORWARDED_HOST =
      HttpHeaders.createOptimized("x-forwarded-host");

  /** The pages that other sites may link to. */
  private static final Set<String> PAGES =
      Set.of("/", "/index.html", "/q/swagger-ui", "/q/swagger-ui/", "/q/swagger-ui/index.html");

  private final ApiKeys keys;
  private final RefusalMeters meters;

  ClientCheck(ApiKeys keys, RefusalMeters meters) {
    this.keys = keys;
    this.meters = meters;
  }

  /**
   * Checks the client of a request.
   *
   * @throws BloomException FORBIDDEN if it may not use the service; INVALID_REQUEST if the request
   *     has two hosts, origins or keys
   */
  public void requireAllowed(RoutingContext context) {
    // Responses change with every add and reveal elements, so proxies and browsers must not store
    // them. Pages override this. A browser must not render elements as a page.
    context
        .response()
        .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE)
        .putHeader(CONTENT_TYPE_OPTIONS, NOSNIFF);
    if (HEALTH.contains(context.request().path())) {
      return;
    }
    try {
      requireAllowed(context.request());
    } catch (BloomException refusal) {
      meters.count(RefusalMeters.Reason.CLIENT);
      throw refusal;
    }
  }

  private void requireAllowed(HttpServerRequest request) {
    for (var header : ONCE) {
      if (request.headers().getAll(header).size() > 1) {
        throw RequestErrors.headerTwice(header);
      }
    }
    if (!keys.areRequired() && !isLocal(request)) {
      throw BloomException.of(
          ErrorCode.FORBIDDEN,
          "No API key is configured, so only clients on the same machine are allowed, through a loopback address or localhost and not through a proxy. %s."
              .formatted(ApiKeys.HOW_TO_MAKE_ONE));
    }
    // A page of another site cannot make a browser send a Bearer token without permission.
    if (!(keys.areRequired() && hasBearer(request)) && isOfOtherSite(request)) {
      throw BloomException.of(
          ErrorCode.FORBIDDEN,
          "The request comes from a page on another site. Send it from the service's own pages, or with a Bearer key from a program. A proxy that calls the gate must not forward its clients' Origin and Sec-Fetch headers.");
    }
  }

  private static boolean hasBearer(HttpServerRequest request) {
    var header = request.headers().get(HttpHeaders.AUTHORIZATION);
    return header != null && KeyToken.isBearer(header);
  }

  private static boolean isLocal(HttpServerRequest request) {
    // The address of the connection, regardless of headers.
    var client = request.connection().remoteAddress();
    if (client == null
        || !LoopbackNames.isLoopback(client.hostAddress())
        || ProxyHeaders.areIn(request)) {
      return false;
    }
    var host = hostOf(request);
    // Only HTTP/1.0 may omit it, and browsers never do.
    return host == null || LoopbackNames.isLoopbackHost(host);
  }

  private static boolean isOfOtherSite(HttpServerRequest request) {
    var headers = request.headers();
    var origin = headers.get(HttpHeaders.ORIGIN);
    if (origin != null) {
      return !isOwn(origin, hostOf(request)) && !isOwn(origin, headers.get(FORWARDED_HOST));
    }
    var site = headers.get(SEC_FETCH_SITE);
    return site != null
        && !site.equals("same-origin")
        && !site.equals("none")
        && !followsLink(request);
  }

  /**
   * Following a link to a page is not an attack; frames are excluded, because even an empty
   * response would reveal something to them.
   */
  private static boolean followsLink(HttpServerRequest request) {
    var method = request.method();
    return (HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method))
        && "navigate".equals(request.headers().get(SEC_FETCH_MODE))
        && PAGES.contains(request.path());
  }

  /** Whether an origin is this host; a proxy may terminate TLS. */
  private static boolean isOwn(String origin, String host) {
    var end = origin.indexOf("://");
    return host != null && end > 0 && origin.substring(end + 3).equalsIgnoreCase(host);
  }

  private static String hostOf(HttpServerRequest request) {
    var header = request.headers().get(HttpHeaders.HOST);
    if (header != null) {
      return header;
    }
    var authority = request.authority();
    return authority == null ? null : authority.toString();
  }
}
