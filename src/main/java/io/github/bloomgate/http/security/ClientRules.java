package io.github.bloomgate.http.security;

import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which requests are looked at, before anybody asks who sends them. While there are no keys, those
 * of programs on this machine; always, none that a page of another site makes a browser send.
 */
@Singleton
public class ClientRules {

  private static final CharSequence SEC_FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");
  private static final CharSequence SEC_FETCH_MODE = HttpHeaders.createOptimized("sec-fetch-mode");
  private static final CharSequence FORWARDED_HOST =
      HttpHeaders.createOptimized("x-forwarded-host");

  /** What a proxy adds: then the client is not the one that connects. */
  private static final Set<String> OF_PROXIES =
      Set.of("forwarded", "via", "x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip");

  /** What a page of another site may lead people to; nothing else that a frame could show it. */
  private static final Set<String> PAGES =
      Set.of("/", "/index.html", "/q/swagger-ui", "/q/swagger-ui/", "/q/swagger-ui/index.html");

  private final ApiKeys keys;

  ClientRules(ApiKeys keys) {
    this.keys = keys;
  }

  /** Why a request is not looked at; empty if it is. */
  public Optional<BloomException> refusal(HttpServerRequest request) {
    for (var header : new CharSequence[] {HttpHeaders.HOST, HttpHeaders.ORIGIN}) {
      // A proxy that reads the other one would decide on something else.
      if (request.headers().getAll(header).size() > 1) {
        return Optional.of(RequestErrors.headerTwice(header));
      }
    }
    if (!keys.areRequired()) {
      return isLocal(request)
          ? pageRefusal(request)
          : Optional.of(AccessErrors.notLocal(ApiKeys.HOW_TO_MAKE_ONE));
    }
    var header = request.headers().get(HttpHeaders.AUTHORIZATION);
    // A page of another site cannot have a browser send a token this way without being allowed to.
    return header != null && Credentials.isBearer(header) ? Optional.empty() : pageRefusal(request);
  }

  private static boolean isLocal(HttpServerRequest request) {
    // The address of the connection, which no header changes.
    var client = request.connection().remoteAddress();
    if (client == null || !LoopbackNames.isLoopback(client.hostAddress())) {
      return false;
    }
    for (var header : request.headers()) {
      if (isOfProxy(header.getKey().toLowerCase(Locale.ROOT))) {
        return false;
      }
    }
    var host = hostOf(request);
    // Only HTTP/1.0 may leave it out, and a browser never does.
    return host == null || LoopbackNames.isLoopbackHost(host);
  }

  private static boolean isOfProxy(String header) {
    return OF_PROXIES.contains(header)
        || header.startsWith("x-forwarded")
        || header.startsWith("x-envoy-");
  }

  private static Optional<BloomException> pageRefusal(HttpServerRequest request) {
    return isOfOtherSite(request) ? Optional.of(AccessErrors.otherOrigin()) : Optional.empty();
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
   * To follow a link to a page is no attack; that an answer has no content tells a frame enough.
   */
  private static boolean followsLink(HttpServerRequest request) {
    var method = request.method();
    return (HttpMethod.GET.equals(method) || HttpMethod.HEAD.equals(method))
        && "navigate".equals(request.headers().get(SEC_FETCH_MODE))
        && PAGES.contains(request.path());
  }

  /** Whether an origin is this host; a proxy may have taken TLS off. */
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
