package io.github.bloomgate.http.contract;

import io.github.bloomgate.http.contract.Contract.Operation;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.error.BloomException;
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
  private final Optional<Operation> operation;
  private final Optional<String> contentType;

  /** The original lines of the Accept header, for messages. */
  private final List<String> accept;

  private final String method;
  private final List<String> accepted;
  private Query query = Query.EMPTY;

  private ApiRequest(HttpServerRequest request, Contract.Path path) {
    this.path = path;
    this.method = request.method().name();
    this.operation = Optional.ofNullable(path.operations().get(method));
    var types = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    if (types.size() > 1) {
      // A body that is JSON for one of them has lines for the other.
      throw RequestErrors.headerTwice(HttpHeaders.CONTENT_TYPE);
    }
    this.contentType = types.stream().findFirst();
    this.accept = request.headers().getAll(HttpHeaders.ACCEPT);
    this.accepted = AcceptHeader.accepted(accept, answers());
  }

  /**
   * Finds the operation of a request. Does nothing for paths that the contract does not have.
   *
   * @throws BloomException INVALID_REQUEST if the request has several content types
   */
  public static void begin(RoutingContext context, Contract contract) {
    // The framework finds the resource by this path, too: a path such as /x/../v1/filters is
    // checked.
    var path = contract.at(context.normalizedPath());
    if (path.isPresent()) {
      var request = context.request();
      context.put(KEY, new ApiRequest(request, path.get()));
      // The framework has no choice of answers, and would read only the first line of the header.
      request.headers().remove(HttpHeaders.ACCEPT);
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

  /** The methods of its path, as in the {@code Allow} header. */
  public String allowed() {
    return path.allowed();
  }

  /** The role that a key needs for it. */
  public Role role() {
    return operation.orElseThrow().role();
  }

  public boolean takesBody() {
    return !operation.orElseThrow().takes().isEmpty();
  }

  private List<String> answers() {
    return operation.map(Operation::answers).orElse(List.of());
  }

  /**
   * Checks its method and media types.
   *
   * @throws BloomException METHOD_NOT_ALLOWED, UNSUPPORTED_FORMAT or NOT_ACCEPTABLE
   */
  public void requireOperation() {
    if (operation.isEmpty()) {
      throw RequestErrors.methodNotAllowed(method, allowed());
    }
    var takes = operation.get().takes();
    if (!takes.isEmpty()) {
      // A body without a type is of the only one there is.
      var sent = contentType.or(() -> takes.stream().filter(only -> takes.size() == 1).findAny());
      if (sent.filter(type -> isOneOf(type, takes)).isEmpty()) {
        throw RequestErrors.unsupportedType(contentType, takes);
      }
      if (isOneOf(sent.get(), List.of(MediaType.APPLICATION_JSON))) {
        requireAccepted(MediaType.APPLICATION_JSON);
      }
    }
    if (accepted.isEmpty() && !answers().isEmpty()) {
      throw notAcceptable(answers());
    }
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
    return RequestErrors.notAcceptable(String.join(", ", accept), answers);
  }

  /**
   * Reads its query.
   *
   * @throws BloomException INVALID_REQUEST if it breaks the contract
   */
  public void readQuery(String text) {
    query = Query.of(text, operation.orElseThrow().query());
  }
}
