package io.github.bloomgate.http.response;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.problem.Problem;
import io.github.bloomgate.model.error.BloomException;
import io.quarkus.resteasy.reactive.jackson.runtime.serialisers.BasicServerJacksonMessageBodyWriter;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * Writes responses as a line of JSON. The newline puts a terminal's prompt on the next line, and
 * separates responses in a file.
 */
@Provider
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class JsonWriter extends BasicServerJacksonMessageBodyWriter {

  private final ObjectWriter json;

  public JsonWriter(Instance<ObjectMapper> mapper) {
    super(mapper);
    this.json = mapper.get().writer();
  }

  /**
   * Sends a response, which waits for its client without a thread.
   *
   * @throws BloomException OVERLOADED if there is no memory for it. An operation that changes
   *     something reserves it before.
   */
  @Override
  public void writeResponse(Object answer, Type type, ServerRequestContext context)
      throws IOException {
    var request = ((ResteasyReactiveRequestContext) context).unwrap(RoutingContext.class);
    // PolledResponses are written already.
    Exchange.of(request).send(request, answer instanceof byte[] written ? written : line(answer));
  }

  private byte[] line(Object answer) throws IOException {
    var line = new ByteArrayBuilder();
    try (var generator = json.createGenerator(line)) {
      json.writeValue(generator, answer);
      generator.writeRaw('\n');
    }
    return line.toByteArray();
  }
}
