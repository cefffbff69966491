package io.github.bloomgate.http.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import jakarta.inject.Singleton;

/** Sends problem documents for requests that do not reach a resource. */
@Singleton
public class ProblemWriter {

  private final ObjectMapper json;

  ProblemWriter(ObjectMapper json) {
    this.json = json;
  }

  /** Ends a response with the document of an error. */
  public void answer(HttpServerResponse response, BloomException error) {
    Problem.headers(error).forEach(response::putHeader);
    response
        .setStatusCode(error.code().status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        // The body may not have been read, so the connection cannot be reused.
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .end(body(error));
  }

  private String body(BloomException error) {
    try {
      return json.writeValueAsString(Problem.of(error)) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("A problem is always writable", impossible);
    }
  }
}
