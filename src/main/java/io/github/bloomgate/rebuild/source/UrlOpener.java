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

/** Asks HTTP servers for sources. Follows no redirect: it might lead where nothing is allowed. */
final class UrlOpener {

  private static final int OK = 200;

  private final AllowedUrls allowed;
  private final Duration connectTimeout;
  private final Duration answerTimeout;

  /** Null until it is used: most services load nothing from URLs, and it takes its time to make. */
  private HttpClient client;

  /**
   * @param answerTimeout how long a server may take until it begins to answer
   */
  UrlOpener(AllowedUrls allowed, Duration connectTimeout, Duration answerTimeout) {
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
   * @throws BloomException INVALID_REQUEST if it is not allowed (any more), SOURCE_UNREADABLE if
   *     the server does not answer with 200 and a body whose end can be told
   */
  SourceReader open(Origin.Url source) {
    var answer = send(allowed.require(source.url()), source);
    if (answer.statusCode() != OK) {
      close(answer.body());
      throw RebuildErrors.sourceUnreadable(
          "The server of the source answered with the status %d in place of 200.%s"
              .formatted(
                  answer.statusCode(),
                  answer.statusCode() / 100 == 3 ? " Redirects are not followed." : ""));
    }
    if (isPage(answer.headers())) {
      close(answer.body());
      throw RebuildErrors.sourceUnreadable(
          "The server of the source answered with an HTML page, as it does for people who have to"
              + " log in. Have it answer with the lines.");
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
          "The server of the source answered in a coding other than gzip. Have it answer otherwise.");
    }
    var hasEnd = coding.get() == ContentCoding.GZIP || tellsItsEnd(answer.headers());
    // A file in gzip is often sent as it is, without a word on its coding.
    if (!hasEnd && !path.endsWith(SourceContent.SUFFIX)) {
      close(body);
      throw endUnknown();
    }
    var content = new SourceContent(body, coding.get().decode(body), path);
    return new SourceLines(
        content,
        source.format(),
        source.encoding(),
        () -> {
          if (!hasEnd && !content.isPacked()) {
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
      throw RebuildErrors.sourceUnreadable("The server of the source did not answer in time.");
    } catch (IOException broken) {
      throw RebuildErrors.sourceUnreadable(
          "The server of the source cannot be reached, or broke the connection.");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw RebuildErrors.sourceUnreadable("The service was stopped.");
    }
  }

  private static BloomException endUnknown() {
    return RebuildErrors.sourceUnreadable(
        "The server of the source answered without Content-Length or chunks, so that a cut could not"
            + " be told from the end. Have it answer otherwise.");
  }

  private static boolean isPage(HttpHeaders headers) {
    return headers
        .firstValue("Content-Type")
        .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("text/html"))
        .isPresent();
  }

  private static boolean tellsItsEnd(HttpHeaders headers) {
    return headers.firstValue("Content-Length").isPresent()
        || headers.firstValue("Transfer-Encoding").isPresent();
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException failure) {
      // Nothing of it is used.
      return;
    }
  }
}
