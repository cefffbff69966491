package io.github.bloomgate.http.contract;

import static java.util.stream.Collectors.joining;

import io.github.bloomgate.http.access.Role;
import io.github.bloomgate.http.connection.BodyLimit;
import io.github.bloomgate.http.contract.Contract.Operation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A request to the API, checked against its operation in the contract. Nothing in it is ignored:
 * with a misspelt {@code encoding}, for example, the service would test another element.
 */
public final class ApiRequest {

  private static final String KEY = ApiRequest.class.getName();

  private final Contract.Path path;
  private final Operation operation;

  /** The part of the path that the proxy and its client have appended, if any. */
  private final Optional<ForwardedPath> forwarded;

  /** The original lines of the Accept header, for messages. */
  private final List<String> accept;

  private final List<String> accepted;
  private Query query = Query.EMPTY;

  private ApiRequest(HttpServerRequest request, Contract.Path path, Operation operation) {
    this.path = path;
    this.operation = operation;
    this.forwarded = forwarded(request, path);
    this.accept = request.headers().getAll(HttpHeaders.ACCEPT);
    this.accepted = AcceptHeader.accepted(accept, operation.answers());
  }

  private static Optional<ForwardedPath> forwarded(HttpServerRequest request, Contract.Path path) {
    if (!path.isForwarded()) {
      return Optional.empty();
    }
    if (request.path().equals(path.template())) {
      ForwardedPath.requireOwnQuery(request, path.template());
      return Optional.empty();
    }
    return Optional.of(ForwardedPath.of(request, path.template()));
  }

  /**
   * Checks the method and the media types of a request.
   *
   * @throws BloomException METHOD_NOT_ALLOWED, UNSUPPORTED_FORMAT or NOT_ACCEPTABLE;
   *     INVALID_REQUEST if it has several content types
   */
  public static void begin(RoutingContext context, Contract.Path path) {
    var request = context.request();
    var method = request.method().name();
    var operation =
        path.operation(method)
            .orElseThrow(
                () ->
                    BloomException.of(
                        ErrorCode.METHOD_NOT_ALLOWED,
                        "This path does not support %s. It supports %s.%s"
                            .formatted(
                                RequestErrors.shown(method),
                                path.allowed(),
                                MethodAdvice.of(method, path)),
                        new ProblemDetails.Allowed(path.allowed())));
    var begun = new ApiRequest(request, path, operation);
    if (!BodyLimit.mayHaveBody(context)) {
      begun.replaceContentType(request);
    }
    begun.requireMediaTypes(request.headers().getAll(HttpHeaders.CONTENT_TYPE));
    context.put(KEY, begun);
    // The framework has no choice of answers, and would read only the first line of the header.
    request.headers().remove(HttpHeaders.ACCEPT);
  }

  /**
   * A request without a body has no type, although some clients name a form. The header only
   * chooses between no JSON and no lines.
   */
  private void replaceContentType(HttpServerRequest request) {
    var sent = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    var takes = operation.takes();
    if (!takes.isEmpty()) {
      var chosen =
          takes.stream().filter(type -> sent.size() == 1 && isOneOf(sent.get(0), List.of(type)));
      request.headers().set(HttpHeaders.CONTENT_TYPE, chosen.findFirst().orElse(takes.get(0)));
    }
  }

  private void requireMediaTypes(List<String> contentTypes) {
    if (contentTypes.size() > 1) {
      // A body that is JSON for one of them has lines for the other.
      throw RequestErrors.headerTwice(HttpHeaders.CONTENT_TYPE);
    }
    var takes = operation.takes();
    if (!takes.isEmpty()) {
      // A body without a type is of the only one there is.
      var sent = contentTypes.isEmpty() && takes.size() == 1 ? takes : contentTypes;
      if (sent.isEmpty() || !isOneOf(sent.get(0), takes)) {
        throw RequestErrors.unsupportedType(contentTypes.stream().findFirst(), takes);
      }
      if (isOneOf(sent.get(0), List.of(MediaType.APPLICATION_JSON))
          && operation.answers().contains(MediaType.APPLICATION_JSON)) {
        requireAccepted(MediaType.APPLICATION_JSON);
      }
    }
    if (accepted.isEmpty() && !operation.answers().isEmpty()) {
      throw notAcceptable(operation.answers());
    }
  }

  /**
   * The request with this context.
   *
   * @throws BloomException NOT_FOUND if the contract does not have its path
   */
  public static ApiRequest of(RoutingContext context) {
    ApiRequest request = context.get(KEY);
    if (request == null) {
      throw RequestErrors.noSuchResource();
    }
    return request;
  }

  public static Query query(RoutingContext context) {
    return of(context).query;
  }

  /** Its path in the contract, without the part that a proxy has appended. */
  public Contract.Path path() {
    return path;
  }

  /** The client's path and query, which a proxy has appended to the path. */
  public Optional<String> forwardedTarget() {
    return forwarded.map(ForwardedPath::target);
  }

  /** The role that a key needs for it. */
  public Role role() {
    return operation.role();
  }

  public boolean takesBody() {
    return !operation.takes().isEmpty();
  }

  private static boolean isOneOf(String sent, List<String> types) {
    if (types.contains(sent)) {
      return true;
    }
    try {
      var type = MediaType.valueOf(sent);
      return types.stream().map(MediaType::valueOf).anyMatch(type::isCompatible);
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  /**
   * Checks that the client accepts an answer of a type.
   *
   * @throws BloomException NOT_ACCEPTABLE
   */
  public void requireAccepted(String answer) {
    if (!accepted.contains(answer.toLowerCase(Locale.ROOT))) {
      throw notAcceptable(List.of(answer));
    }
  }

  private BloomException notAcceptable(List<String> answers) {
    return BloomException.of(
        ErrorCode.NOT_ACCEPTABLE,
        "The Accept header '%s' excludes the media type of this operation's response, %s. Accept that, or leave the header out; with curl: %s."
            .formatted(
                RequestErrors.shown(String.join(", ", accept)),
                String.join(" or ", answers),
                answers.stream().map("-H 'Accept: %s'"::formatted).collect(joining(" or "))));
  }

  /**
   * Reads its query.
   *
   * @throws BloomException INVALID_REQUEST if it breaks the contract
   */
  public void readQuery(RoutingContext context) {
    var text = forwarded.map(ForwardedPath::query).orElse(context.request().query());
    query = Query.of(text, operation.query());
  }
}
