package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.bloomgate.http.problem.Problem;
import io.quarkus.resteasy.reactive.jackson.runtime.serialisers.BasicServerJacksonMessageBodyWriter;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * Writes responses as a line of JSON. The newline puts a terminal's prompt on the next line, and
 * separates responses in a file.
 */
@Provider
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class JsonWriter extends BasicServerJacksonMessageBodyWriter {

  private static final Logger LOG = Logger.getLogger(JsonWriter.class);

  private final ObjectWriter json;

  public JsonWriter(Instance<ObjectMapper> mapper) {
    super(mapper);
    this.json =
        mapper
            .get()
            .writer()
            .without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
            .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .without(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
  }

  /**
   * Writes nothing if the client has gone. The framework would count that as an error of the
   * service, and close the connection, with all other requests over HTTP/2.
   */
  @Override
  public void writeResponse(Object answer, Type type, ServerRequestContext context)
      throws IOException {
    try {
      write(answer, context.getOrCreateOutputStream());
    } catch (IOException failed) {
      if (!context.serverResponse().closed()) {
        throw failed;
      }
      LOG.debugf("The client of a request disconnected: %s", failed.getMessage());
    }
  }

  /**
   * The newline goes through the generator's buffer, because a single write is sent with its
   * length. A failed generator is not closed, because that would complete the partial JSON.
   */
  private void write(Object answer, OutputStream body) throws IOException {
    if (answer instanceof byte[] line) {
      // Written by PolledAnswers.
      body.write(line);
    } else {
      var generator = json.createGenerator(body);
      json.writeValue(generator, answer);
      generator.writeRaw('\n');
      generator.close();
    }
    body.close();
  }
}
