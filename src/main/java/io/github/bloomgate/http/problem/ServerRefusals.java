package io.github.bloomgate.http.problem;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Adds problem documents to refusals of the HTTP server, which it sends without a body, before the
 * router sees the request. For HTTP/1.1.
 */
@Singleton
@ChannelHandler.Sharable
public class ServerRefusals extends ChannelOutboundHandlerAdapter {

  private final Map<Integer, ByteBuf> documents;

  ServerRefusals(
      ObjectMapper json,
      @ConfigProperty(name = "quarkus.http.limits.max-initial-line-length") int longestLine,
      @ConfigProperty(name = "quarkus.http.limits.max-header-size") MemorySize headers) {
    documents =
        Stream.of(
                RequestErrors.malformed(),
                BloomException.of(
                    ErrorCode.URI_TOO_LONG,
                    "The request line is longer than %d bytes. Send elements in the body, with POST."
                        .formatted(longestLine)),
                BloomException.of(
                    ErrorCode.HEADERS_TOO_LARGE,
                    "The headers of the request have more than %d bytes. Leave out those that the service does not need, such as cookies."
                        .formatted(headers.asLongValue())))
            .collect(
                Collectors.toUnmodifiableMap(
                    error -> error.code().status(), error -> document(json, error)));
  }

  private static ByteBuf document(ObjectMapper json, BloomException error) {
    try {
      var text = json.writeValueAsString(Problem.of(error)) + "\n";
      return Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(text, UTF_8));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("A problem is always writable", impossible);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise belongs to the caller
  public void write(ChannelHandlerContext context, Object part, ChannelPromise promise) {
    if (part instanceof FullHttpResponse response && isBare(response)) {
      context.write(withDocument(response), promise);
      response.release();
    } else {
      context.write(part, promise);
    }
  }

  /** A response to HEAD has no length. */
  private boolean isBare(HttpResponse response) {
    return documents.containsKey(response.status().code())
        && response.headers().contains(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO, false)
        && !response.headers().contains(HttpHeaderNames.CONTENT_TYPE);
  }

  private FullHttpResponse withDocument(FullHttpResponse response) {
    var document = documents.get(response.status().code()).duplicate();
    var headers = response.headers().copy();
    headers.set(HttpHeaderNames.CONTENT_LENGTH, document.readableBytes());
    headers.set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE);
    headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    headers.set("X-Content-Type-Options", "nosniff");
    return new DefaultFullHttpResponse(
        response.protocolVersion(),
        response.status(),
        document,
        headers,
        EmptyHttpHeaders.INSTANCE);
  }
}
