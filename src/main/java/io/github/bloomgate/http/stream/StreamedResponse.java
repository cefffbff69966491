package io.github.bloomgate.http.stream;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** A response that is not held as a whole. */
public record StreamedResponse(Body body) {

  /** Sends the response, by itself or after this call. */
  interface Body {

    /**
     * Sends it.
     *
     * @param headers that the framework adds when the head is sent
     */
    void send(RoutingContext context, MultivaluedMap<String, Object> headers);
  }

  /**
   * Sends it without the framework's stream, which closes the connection when a client resets one
   * of its requests over HTTP/2, and sends no head to a client that does not read yet.
   */
  @Provider
  public static final class Writer implements ServerMessageBodyWriter<StreamedResponse> {

    @Override
    public boolean isWriteable(
        Class<?> type, Type generic, ResteasyReactiveResourceInfo target, MediaType mediaType) {
      return type == StreamedResponse.class;
    }

    @Override
    public boolean isWriteable(
        Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
      return type == StreamedResponse.class;
    }

    @Override
    public void writeResponse(StreamedResponse answer, Type generic, ServerRequestContext context) {
      var request = (ResteasyReactiveRequestContext) context;
      answer.body.send(
          request.unwrap(RoutingContext.class), request.getResponse().get().getHeaders());
    }

    @Override
    public void writeTo(
        StreamedResponse answer,
        Class<?> type,
        Type generic,
        Annotation[] annotations,
        MediaType mediaType,
        MultivaluedMap<String, Object> headers,
        OutputStream out) {
      throw new IllegalStateException("A streamed response is not written to a stream");
    }
  }
}
