package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.lines.ContentCoding;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.Origin;
import io.quarkus.tls.TlsConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Requests sources from HTTP servers. Does not follow redirects, which could lead to a URL that is
 * not allowed, and would send credentials to another server.
 */
public final class UrlOpener {

  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final AllowedUrls allowed;
  private final SourceCredentials credentials;
  private final Optional<TlsConfiguration> tls;
  private final Duration connectTimeout;
  private final Duration answerTimeout;

  /** Null until needed: it is expensive, and most services load nothing from URLs. */
  private HttpClient client;

  /**
   * @param tls the trusted CAs and the client certificate; by default, the CAs of the JDK
   * @param answerTimeout until the head of the response
   */
  public UrlOpener(
      AllowedUrls allowed,
      SourceCredentials credentials,
      Optional<TlsConfiguration> tls,
      Duration connectTimeout,
      Duration answerTimeout) {
    this.allowed = allowed;
    this.credentials = credentials;
    this.tls = tls;
    this.connectTimeout = connectTimeout;
    this.answerTimeout = answerTimeout;
  }

  private synchronized HttpClient client() {
    if (client == null) {
      var builder =
          HttpClient.newBuilder()
              .version(Version.HTTP_1_1)
              .followRedirects(Redirect.NEVER)
              .connectTimeout(connectTimeout);
      tls.ifPresent(configured -> builder.sslContext(context(configured)));
      client = builder.build();
    }
    return client;
  }

  private static SSLContext context(TlsConfiguration configured) {
    try {
      return configured.createSSLContext();
    } catch (Exception invalid) {
      // The files were read when the service was started.
      throw new IllegalStateException(invalid);
    }
  }

  /**
   * Opens a URL.
   *
   * @throws BloomException INVALID_REQUEST if it is not or no longer allowed; SOURCE_UNREADABLE
   *     unless the server responds with 200 and a body whose end can be verified
   */
  public SourceReader open(Origin.Url source) {
    var url = allowed.require(source.url());
    var used = credentials.of(url);
    var answer = send(url, used, source);
    var status = answer.statusCode();
    if (status != OK) {
      close(answer.body());
      throw RebuildErrors.sourceUnreadable(refused(url, used, status));
    }
    var refusal = ResponseType.refusal(type(answer), source.format());
    if (refusal.isPresent()) {
      close(answer.body());
      throw refusal.get();
    }
    return lines(answer, source);
  }

  private static String refused(URI url, Optional<Credentials> used, int status) {
    var server = Server.of(url).orElseThrow();
    if (used.isPresent() && used.get().isRefusal(status)) {
      return "The source's server %s responded with status %d to the credentials for it in %s. %s"
          .formatted(server, status, SourceCredentials.SETTINGS, used.get().remedy());
    }
    if (used.isEmpty() && (status == UNAUTHORIZED || status == FORBIDDEN)) {
      return "The source's server responded with status %d instead of 200. If it requires credentials, ask the operator to add some for %s to %s."
          .formatted(status, server, SourceCredentials.SETTINGS);
    }
    return "The source's server responded with status %d instead of 200.%s"
        .formatted(
            status,
            status / 100 == 3 && status != NOT_MODIFIED
                ? " Redirects are not followed: set the url that it leads to."
                : " Check the url and the server.");
  }

  private static Optional<String> type(HttpResponse<InputStream> answer) {
    return answer.headers().firstValue("Content-Type");
  }

  private static SourceReader lines(HttpResponse<InputStream> answer, Origin.Url source) {
    var body = answer.body();
    var path = answer.uri().getPath();
    var coding = ContentCoding.of(answer.headers().allValues("Content-Encoding"));
    if (coding.isEmpty()) {
      close(body);
      throw RebuildErrors.sourceUnreadable(
          "The source's server used a content coding other than gzip. It must use gzip or none.");
    }
    var hasEnd = coding.get() == ContentCoding.GZIP || hasKnownEnd(answer.headers());
    // A gzip file is often sent without a Content-Encoding.
    if (!hasEnd && !path.endsWith(SourceLines.PACKED)) {
      close(body);
      throw endUnknown();
    }
    return new SourceLines(
        body,
        coding.get().decode(body),
        path,
        source.format(),
        source.encoding(),
        ResponseType.charset(type(answer)),
        isPacked -> {
          if (!hasEnd && !isPacked) {
            throw endUnknown();
          }
        });
  }

  private HttpResponse<InputStream> send(URI url, Optional<Credentials> used, Origin.Url source) {
    var request =
        used.map(credential -> credential.request(url, Instant.now()))
            .orElseGet(() -> HttpRequest.newBuilder(url))
            .timeout(answerTimeout)
            .header("Accept", source.format().mediaType() + ", */*;q=0.5")
            .header("Accept-Encoding", "gzip")
            .build();
    try {
      return client().send(request, BodyHandlers.ofInputStream());
    } catch (IOException failure) {
      throw RebuildErrors.sourceUnreadable(UrlFailure.of(failure).detail());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw RebuildErrors.sourceUnreadable("The service was stopped.");
    }
  }

  private static BloomException endUnknown() {
    return RebuildErrors.sourceUnreadable(
        "The source's server did not mark the end of its response with either Content-Length or chunks, so truncation could not be detected. It must use one of them.");
  }

  /** The client reads other codings to the end of the connection, and prefers the length to one. */
  private static boolean hasKnownEnd(HttpHeaders headers) {
    var lengths = headers.allValues("Content-Length").size();
    var codings = headers.allValues("Transfer-Encoding");
    return codings.isEmpty()
        ? lengths == 1
        : lengths == 0 && codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException failure) {
      // The response is discarded.
      return;
    }
  }
}
