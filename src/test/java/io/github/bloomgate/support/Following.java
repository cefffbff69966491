package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.restassured.RestAssured;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** A client that follows a filter of the service, and drops what it gets. */
public final class Following implements AutoCloseable {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final InputStream frames;

  private Following(InputStream frames) {
    this.frames = frames;
  }

  public static Following of(String name) throws Exception {
    var address = "http://localhost:%d/v1/filters/%s/follow".formatted(RestAssured.port, name);
    var request = HttpRequest.newBuilder(URI.create(address)).build();
    var response = CLIENT.send(request, BodyHandlers.ofInputStream());
    assertEquals(200, response.statusCode());
    return new Following(response.body());
  }

  /** Returns when the first bytes have arrived. */
  public void awaitFrames() throws IOException {
    assertNotEquals(-1, frames.read());
  }

  /** Reads to the end. */
  public void awaitEnd() throws IOException {
    frames.skip(Long.MAX_VALUE);
  }

  @Override
  public void close() throws IOException {
    frames.close();
  }
}
