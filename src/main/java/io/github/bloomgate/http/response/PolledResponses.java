package io.github.bloomgate.http.response;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.bloomgate.threads.Recent;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Responses to polling pages: with a tag, so that an unchanged one is not sent again, and shared by
 * clients that allow an age of one second. Serialised once for all.
 *
 * <p>The caller must check permissions at every request. Everything in the response that depends on
 * the key must be part of the question.
 */
@Singleton
public class PolledResponses {

  /** A page of 500 filters with figures has about 200 KB. */
  private static final int MOST = 64;

  /** Responses are never older, even if a client allows more. */
  private static final Duration MAX_AGE = Duration.ofSeconds(1);

  private static final Pattern ALLOWED =
      Pattern.compile("max-age=0*[1-9][0-9]*", Pattern.CASE_INSENSITIVE);

  private final Recent<Object, Written> recent = new Recent<>(MOST);
  private final ObjectWriter json;

  PolledResponses(ObjectMapper mapper) {
    this.json = mapper.writer();
  }

  /**
   * The response to a question, or 304 if the client has it.
   *
   * @param question everything the response depends on
   */
  public Response answer(RoutingContext context, Object question, Supplier<?> work) {
    return respond(context, recent.get(question, allowedAge(context), () -> write(work.get())));
  }

  /** A response for this request only, or 304 if the client has it. */
  public Response answer(RoutingContext context, Object answer) {
    return respond(context, write(answer));
  }

  /** The age that a client allows: zero unless its Cache-Control only allows at least a second. */
  public static Duration allowedAge(RoutingContext context) {
    var control = context.request().getHeader(HttpHeaders.CACHE_CONTROL);
    return control != null && ALLOWED.matcher(control.strip()).matches() ? MAX_AGE : Duration.ZERO;
  }

  private static Response respond(RoutingContext context, Written answer) {
    context.response().putHeader(HttpHeaders.ETAG, answer.tag.text());
    return answer.tag.isHeldBy(context.request())
        ? Response.notModified().build()
        : Response.ok(answer.line).build();
  }

  private Written write(Object answer) {
    try {
      var line = (json.writeValueAsString(answer) + '\n').getBytes(StandardCharsets.UTF_8);
      return new Written(line, EntityTag.of(line));
    } catch (JsonProcessingException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private record Written(byte[] line, EntityTag tag) {}
}
