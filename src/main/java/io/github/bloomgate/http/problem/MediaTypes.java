package io.github.bloomgate.http.problem;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Errors of media types, which name the type sent and those supported. */
@Singleton
public class MediaTypes {

  private static final String ACCEPT = "bloomgate.accept";

  private final DeclaredOperations operations;

  MediaTypes(DeclaredOperations operations) {
    this.operations = operations;
  }

  /** Stores the original Accept header of a request, for messages. */
  public static void keepAccept(RoutingContext context, List<String> lines) {
    context.put(ACCEPT, lines);
  }

  /** The operation does not accept the type of the body. */
  public BloomException unsupported(RoutingContext context) {
    var request = context.request();
    return RequestErrors.unsupportedType(
        Optional.ofNullable(request.getHeader(HttpHeaders.CONTENT_TYPE)),
        operations.consumed(request.path(), request.method().name()));
  }

  /** The client does not accept the types that the operation sends. */
  public BloomException notAcceptable(RoutingContext context) {
    var request = context.request();
    return notAcceptable(context, operations.produced(request.path(), request.method().name()));
  }

  /** The client does not accept the type of the response. */
  public static BloomException notAcceptable(RoutingContext context, List<String> answers) {
    List<String> accept = context.get(ACCEPT, List.of());
    return RequestErrors.notAcceptable(String.join(", ", accept), answers);
  }
}
