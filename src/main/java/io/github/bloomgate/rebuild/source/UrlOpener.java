package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.lines.ContentCoding;
import io.github.bloomgate.model.source.Origin;
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
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Locale;

/**
 * Requests sources from HTTP servers. Does not follow redirects, which could lead to a URL that is
 * not allowed.
 */
public final class UrlOpener {

  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;

  private final AllowedUrls allowed;
  private final Duration connectTimeout;
  private final Duration answerTimeout;

  /** Null until needed: it is expensive, and most services load nothing from URLs. */
  private HttpClient client;

  /**
   * @param answerTimeout until the head of the response
   */
  public UrlOpener(AllowedUrls allowed, Duration connectTimeout, Duration answerTimeout) {
    this.allowed = allowed;
    this.connectTimeout = connectTimeout;
    this.answerTimeout = answerTimeout;
  }

  private synchronized HttpClient client() {
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .version(Version.HTTP_1_1)
              .followRedirects(Redirect.NEVER)
              .connectTimeout(connectTimeout)
              .build();
    }
    return client;
  }

  /**
   * Opens a URL.
   *
   * @throws BloomException INVALID_REQUEST if it is not or no longer allowed; SOURCE_UNREADABLE
   *     unless the server responds with 200 and a body whose end can be verified
   */
  public SourceReader open(Origin.Url source) {
    var answer = send(allowed.require(source.url()), source);
    var status = answer.statusCode();
    if (status != OK) {
      close(answer.body());
      throw RebuildErrors.sourceUnreadable(
          "The source's server responded with status %d instead of 200.%s"
              .formatted(
                  status,
                  status / 100 == 3 && status != NOT_MODIFIED
                      ? " Redirects are not followed: set the url that it leads to."
                      : " Check the url and the server."));
    }
    if (isPage(answer.headers())) {
      close(answer.body());
      throw RebuildErrors.sourceUnreadable(
          "The source's server responded with an HTML page, perhaps a login page. It must send the lines instead.");
    }
    return lines(answer, source);
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
        isPacked -> {
          if (!hasEnd && !isPacked) {
            throw endUnknown();
          }
        });
  }

  private HttpResponse<InputStream> send(URI url, Origin.Url source) {
    var request =
        HttpRequest.newBuilder(url)
            .timeout(answerTimeout)
            .header("Accept", source.format().mediaType() + ", */*;q=0.5")
            .header("Accept-Encoding", "gzip")
            .build();
    try {
      return client().send(request, BodyHandlers.ofInputStream());
    } catch (HttpTimeoutException late) {
      throw RebuildErrors.sourceUnreadable(
          "The source's server did not respond within bloomgate.sources.connect-timeout or bloomgate.sources.idle-timeout. Check the server, or raise these limits.");
    } catch (IOException broken) {
      throw RebuildErrors.sourceUnreadable(
          "The source's server cannot be reached, or closed the connection. Check the url and the server.");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw RebuildErrors.sourceUnreadable("The service was stopped.");
    }
  }

  private static BloomException endUnknown() {
    return RebuildErrors.sourceUnreadable(
        "The source's server did not mark the end of its response with either Content-Length or chunks, so truncation could not be detected. It must use one of them.");
  }

  private static boolean isPage(HttpHeaders headers) {
    return headers
        .firstValue("Content-Type")
        .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("text/html"))
        .isPresent();
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
