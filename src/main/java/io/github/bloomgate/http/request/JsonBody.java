package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.http.connection.BodyLimit;
import io.github.bloomgate.http.connection.HeldBody;
import io.github.bloomgate.lines.ContentCoding;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.model.error.Violation;
import io.quarkus.resteasy.reactive.jackson.runtime.serialisers.ServerJacksonMessageBodyReader;
import jakarta.enterprise.inject.Instance;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * Reads a JSON body: decompresses it within the limit and the available memory, and validates UTF-8
 * and the rules of its type. The parser would replace malformed UTF-8, and so change elements.
 *
 * <p>Wraps the framework's reader instead of being an interceptor, which would parse the
 * annotations of the method at each request, an eighth of the time of an add. Validates itself,
 * because the framework's validation would intercept resource methods and read all their
 * annotations at the start.
 */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class JsonBody extends ServerJacksonMessageBodyReader {

  /** For a request without an optional body. */
  private static final byte[] EMPTY = {'{', '}'};

  /** What the validator appends to the path of a list's element, such as {@code from[1]}. */
  private static final String LIST_ELEMENT = ".<list element>";

  private final BodyLimit limit;
  private final Validator validator;

  JsonBody(Instance<ObjectMapper> mapper, BodyLimit limit, Validator validator) {
    super(mapper);
    this.limit = limit;
    this.validator = validator;
  }

  @Override
  public Object readFrom(
      Class<Object> type, Type genericType, MediaType mediaType, ServerRequestContext context)
      throws IOException {
    requireUtf8(mediaType, context);
    var json = read(context).filter(held -> !held.isEmpty());
    Object body = null;
    if (json.isPresent()) {
      json.get().requireUtf8();
      body = parse(type, genericType, mediaType, json.get());
    }
    if (body == null) {
      requireMayBeMissing(type);
      body = parse(type, genericType, mediaType, new ByteArrayInputStream(EMPTY));
    }
    require(body);
    return body;
  }

  private Object parse(Class<Object> type, Type genericType, MediaType mediaType, InputStream json)
      throws IOException {
    return super.readFrom(type, genericType, null, mediaType, null, json);
  }

  /** The decompressed body, if there is one. */
  private Optional<HeldBody> read(ServerRequestContext context) {
    var sent = context.getRequestHeaders().getRequestHeader(HttpHeaders.CONTENT_ENCODING);
    var coding = ContentCoding.of(sent).orElseThrow(() -> RequestErrors.unsupportedCoding(sent));
    if (!(context.getInputStream() instanceof HeldBody arrived)) {
      return Optional.empty();
    }
    if (coding == ContentCoding.IDENTITY) {
      return Optional.of(arrived);
    }
    // Closed, because the decoder holds memory outside the heap.
    try (var content = coding.decode(arrived)) {
      return Optional.of(arrived.unpacked(content, limit.bytes()));
    } catch (IOException broken) {
      throw StreamErrors.broken(broken);
    }
  }

  private static void requireUtf8(MediaType type, ServerRequestContext context) {
    var charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
    if (charset != null && !charset.equalsIgnoreCase(StandardCharsets.UTF_8.name())) {
      throw RequestErrors.unsupportedType(
          Optional.ofNullable(
              context.getRequestHeaders().getHeaderString(HttpHeaders.CONTENT_TYPE)),
          List.of(MediaType.APPLICATION_JSON));
    }
  }

  private static void requireMayBeMissing(Class<?> type) {
    if (!OptionalBody.class.isAssignableFrom(type)) {
      throw RequestErrors.invalid(
          List.of(
              new Violation(
                  "body",
                  "body",
                  "is missing; send a JSON object, with curl: -H 'Content-Type: application/json' -d"
                      + " '{...}'")));
    }
  }

  private void require(Object body) {
    var violations = validator.validate(body);
    if (!violations.isEmpty()) {
      throw RequestErrors.invalid(
          violations.stream()
              .map(JsonBody::violation)
              .sorted(Comparator.comparing(Violation::field))
              .toList());
    }
  }

  private static Violation violation(ConstraintViolation<Object> violation) {
    var field = violation.getPropertyPath().toString().replace(LIST_ELEMENT, "");
    return new Violation("body", field, violation.getMessage());
  }

  /** A request whose body is optional. */
  interface OptionalBody {}
}
