package io.github.bloomgate.http.door;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.access.ClientCheck;
import io.github.bloomgate.http.connection.Admission;
import io.github.bloomgate.http.connection.ArrivingBody;
import io.github.bloomgate.http.connection.BodyFlow;
import io.github.bloomgate.http.connection.BodyLimit;
import io.github.bloomgate.http.connection.BodyMemory;
import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.http.connection.RequestTurns;
import io.github.bloomgate.http.connection.SlowClients;
import io.github.bloomgate.http.connection.StreamedBody;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.contract.Contract;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.http.problem.ProblemWriter;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.ext.Provider;
import java.net.URI;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * The checks that a request passes before its resource, in order. Each lets the request pass, or
 * throws the problem it is refused with.
 *
 * <p>The framework matches the resource in the middle of them, so there are three parts.
 *
 * <p>Application-scoped because the framework creates filters before the configuration exists.
 */
@Provider
@ApplicationScoped
public class Door implements ResteasyReactiveContainerRequestFilter {

  private static final List<String> PRECONDITIONS =
      List.of("If-Match", "If-None-Match", "If-Unmodified-Since");

  /** The framework's own routes whose responses are not small. */
  private static final List<String> LARGE_PATHS = List.of("/q/openapi", "/q/metrics");

  /** The contract has 140 KB, and the metrics of a thousand filters 700 KB. */
  private static final int LARGE_RESPONSE = 1 << 20;

  private final SlowClients slowClients;
  private final Admission admission;
  private final ManagementPort management;
  private final ClientCheck clients;
  private final ShutdownGate shutdown;
  private final BodyLimit bodyLimit;
  private final ProblemWriter problems;
  private final Contract contract;
  private final Caller caller;
  private final RateLimits rates;
  private final MemoryBudget memory;

  Door(
      SlowClients slowClients,
      Admission admission,
      ManagementPort management,
      ClientCheck clients,
      ShutdownGate shutdown,
      BodyLimit bodyLimit,
      ProblemWriter problems,
      Contract contract,
      Caller caller,
      RateLimits rates,
      MemoryBudget memory) {
    this.slowClients = slowClients;
    this.admission = admission;
    this.management = management;
    this.clients = clients;
    this.shutdown = shutdown;
    this.bodyLimit = bodyLimit;
    this.problems = problems;
    this.contract = contract;
    this.caller = caller;
    this.rates = rates;
    this.memory = memory;
  }

  void register(@Observes Filters filters) {
    filters.register(this::passRouter, RequestOrder.DOOR);
  }

  private void passRouter(RoutingContext context) {
    slowClients.watch(context);
    RequestEnd.watch(context);
    // Before all steps that may refuse a request while its body arrives.
    BodyFlow.hold(context);
    try {
      if (!admission.admit(context, caller.identify(context))) {
        return;
      }
      checkAtRouter(context);
    } catch (BloomException refusal) {
      problems.answer(context, refusal);
      return;
    }
    if (!context.response().ended()) {
      context.next();
    }
  }

  private void checkAtRouter(RoutingContext context) {
    requireChunked(context);
    leaveOutHttp1Headers(context);
    management.requirePort(context);
    clients.requireAllowed(context);
    shutdown.requireOpen(context);
    requirePlainPath(context);
    caller.requireKeyForMetrics(context);
    reserveForFramework(context);
    // The framework finds the resource by this path, too: a path such as /x/../v1/filters is
    // checked.
    contract.at(context.normalizedPath()).ifPresent(path -> begin(context, path));
    // After the type: a large body without one may be lines, which have no limit.
    if (!context.response().ended()) {
      bodyLimit.requireFitting(context);
    }
  }

  /** The framework would write these responses on as many threads as there are requests. */
  private static void reserveForFramework(RoutingContext context) {
    if (LARGE_PATHS.stream().anyMatch(context.normalizedPath()::startsWith)) {
      Exchange.of(context).reserve(LARGE_RESPONSE);
    }
  }

  private static void begin(RoutingContext context, Contract.Path path) {
    if (context.request().method().name().equals(HttpMethod.OPTIONS) && !path.isForAnyMethod()) {
      context.response().putHeader(HttpHeaders.ALLOW, path.allowed()).end();
    } else {
      ApiRequest.begin(context, path);
    }
  }

  /** Refuses other paths before the framework, which would respond to OPTIONS for some of them. */
  @ServerRequestFilter(preMatching = true)
  void requireKnownPath(RoutingContext context, ContainerRequestContext request) {
    var path = ApiRequest.of(context).path();
    if (path.isForAnyMethod()) {
      request.setMethod(HttpMethod.GET);
    }
    if (path.isForwarded()) {
      request.setRequestUri(URI.create(path.template()));
    }
  }

  @Override
  public void filter(ResteasyReactiveContainerRequestContext chain) {
    var request = (ResteasyReactiveRequestContext) chain.getServerRequestContext();
    var context = request.unwrap(RoutingContext.class);
    var toApi = ApiRequest.of(context);
    caller.requireRole(context, toApi.role());
    // Clients without permission for an operation or a filter learn nothing about it and use no
    // rate. Operations themselves check names that are not in the path.
    var name = request.getPathParameter("name", false);
    if (name != null) {
      caller.requireName(context, name);
    }
    var isName = name != null && name.length() <= FilterName.MAX_LENGTH;
    rates.takeRequest(context, isName ? List.of(name) : List.of());
    check(toApi, context);
    // Last, because it takes memory.
    BodyLimit.leaveToReader(context);
    var takesBody = toApi.takesBody();
    if (takesBody && BodyLimit.isStream(context.request())) {
      StreamedBody.open(context, request);
    } else if (ArrivingBody.isExpected(context.request())) {
      var held = new BodyMemory(memory, caller.client(context).id(), Exchange.of(context));
      new ArrivingBody(context, request, held, takesBody ? bodyLimit.bytes() : 0).begin();
    }
  }

  private static void check(ApiRequest toApi, RoutingContext context) {
    toApi.readQuery(context);
    if (!toApi.takesBody() && BodyLimit.hasBody(context)) {
      throw RequestErrors.unexpectedBody();
    }
    requireNoPrecondition(context);
  }

  /**
   * Refuses a transfer coding other than {@code chunked} and everything after it on the connection.
   * The framework would read such a body as further requests, which a proxy has passed as a body.
   */
  private static void requireChunked(RoutingContext context) {
    var codings = context.request().headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    if (codings.isEmpty() || (codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked"))) {
      return;
    }
    RequestTurns.endAfterThis(context.request());
    throw RequestErrors.invalid(
        "The request has a Transfer-Encoding other than chunked. Send the body with a"
            + " Content-Length or in chunks, and compressed with Content-Encoding: gzip.");
  }

  /** HTTP/2 has no header {@code Connection}; clients reject a response with it as malformed. */
  private static void leaveOutHttp1Headers(RoutingContext context) {
    if (context.request().version() == HttpVersion.HTTP_2) {
      context.addHeadersEndHandler(
          written -> context.response().headers().remove(HttpHeaders.CONNECTION));
    }
  }

  /**
   * Refuses matrix parameters: the framework removes them, so "a;b" would name filter "a". Refuses
   * dots behind a proxy's prefix, which would lead the request to another operation.
   */
  private void requirePlainPath(RoutingContext context) {
    var path = context.request().path();
    if (path == null) {
      return;
    }
    if (path.indexOf(';') >= 0) {
      throw RequestErrors.noSuchResource();
    }
    var normalized = context.normalizedPath();
    if (!path.equals(normalized)) {
      contract.requireNotForwarded(path);
      contract.requireNotForwarded(normalized);
    }
  }

  private static void requireNoPrecondition(RoutingContext context) {
    var http = context.request();
    var method = http.method().name();
    if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
      return;
    }
    for (var header : PRECONDITIONS) {
      if (http.headers().contains(header)) {
        throw RequestErrors.invalid(
            "The request has the header %s, which only GET and HEAD support here. Nothing was done; leave it out."
                .formatted(header));
      }
    }
  }
}
