package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.bloomgate.http.request.MaxAge;
import io.github.bloomgate.threads.Recent;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * Responses to polling pages: with a tag, so that an unchanged one is not sent again, and shared by
 * clients that allow an age of one second. Serialised once for all.
 *
 * <p>The caller must check permissions at every request. Everything in the response that depends on
 * the key must be part of the question.
 */
@Singleton
public class PolledAnswers {

  /** A page of 500 filters with figures has about 200 KB. */
  private static final int MOST = 64;

  private final Recent<Object, Answer> recent = new Recent<>(MOST);
  private final ObjectWriter json;

  PolledAnswers(ObjectMapper mapper) {
    this.json = mapper.writer();
  }

  /**
   * The response to a question, or 304 if the client has it.
   *
   * @param question everything the response depends on
   */
  public Response answer(RoutingContext context, Object question, Supplier<?> work) {
    var age = MaxAge.of(context.request());
    return respond(context, recent.get(question, age, () -> write(work.get())));
  }

  /** A response for this request only, or 304 if the client has it. */
  public Response answer(RoutingContext context, Object answer) {
    return respond(context, write(answer));
  }

  private static Response respond(RoutingContext context, Answer answer) {
    context.response().putHeader(HttpHeaders.ETAG, answer.tag.text());
    return answer.tag.isHeldBy(context.request())
        ? Response.notModified().build()
        : Response.ok(answer.content).build();
  }

  private Answer write(Object answer) {
    try {
      var line = (json.writeValueAsString(answer) + '\n').getBytes(StandardCharsets.UTF_8);
      return new Answer(new WrittenJson(line), EntityTag.of(line));
    } catch (JsonProcessingException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private record Answer(WrittenJson content, EntityTag tag) {}
}
