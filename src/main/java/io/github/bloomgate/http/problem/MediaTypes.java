package io.github.bloomgate.http.problem;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Errors of media types, which tell what was sent and what the operation takes. */
@Singleton
public class MediaTypes {

  private static final String ACCEPT = "bloomgate.accept";

  private final DeclaredOperations operations;

  MediaTypes(DeclaredOperations operations) {
    this.operations = operations;
  }

  /** Keeps the Accept header of a request as it was sent, for messages. */
  public static void keepAccept(RoutingContext context, List<String> lines) {
    context.put(ACCEPT, lines);
  }

  /** The body is of none of the types that the operation takes. */
  public BloomException unsupported(RoutingContext context) {
    var request = context.request();
    return RequestErrors.unsupportedType(
        Optional.ofNullable(request.getHeader(HttpHeaders.CONTENT_TYPE)),
        operations.consumed(request.path(), request.method().name()));
  }

  /** The client accepts none of the types that the operation answers with. */
  public BloomException notAcceptable(RoutingContext context) {
    var request = context.request();
    return notAcceptable(context, operations.produced(request.path(), request.method().name()));
  }

  /** The client does not accept what its request would be answered with. */
  public static BloomException notAcceptable(RoutingContext context, List<String> answers) {
    List<String> accept = context.get(ACCEPT, List.of());
    return RequestErrors.notAcceptable(String.join(", ", accept), answers);
  }
}
