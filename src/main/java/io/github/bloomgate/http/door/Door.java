package io.github.bloomgate.http.door;

import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.access.ClientCheck;
import io.github.bloomgate.http.connection.BodyFlow;
import io.github.bloomgate.http.connection.RequestTurns;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.contract.Contract;
import io.github.bloomgate.http.limits.BodyRoom;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.limits.SlowClients;
import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.http.problem.BodyLimit;
import io.github.bloomgate.http.problem.ProblemWriter;
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
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/**
 * The list of checks that a request passes before its resource, in order. Each lets the request
 * pass, or returns the problem it is refused with.
 *
 * <p>The framework matches the resource and checks key and role in the middle of the list, so it
 * has three parts. {@code AccessProblems} handles the framework's refusals.
 *
 * <p>Application-scoped because the framework creates filters before the configuration exists.
 */
@Provider
@ApplicationScoped
public class Door implements ResteasyReactiveContainerRequestFilter {

  private static final String NAME = "name";

  private static final List<String> PRECONDITIONS =
      List.of("If-Match", "If-None-Match", "If-Unmodified-Since");

  private final List<Function<RoutingContext, Optional<BloomException>>> atTheRouter;
  private final List<Function<Call, Optional<BloomException>>> behindKeyAndRole;
  private final ProblemWriter problems;
  private final Caller caller;
  private final RateLimits rates;
  private final BodyRoom room;

  private record Call(RoutingContext context, ResteasyReactiveRequestContext framework) {

    private String name() {
      return framework.getUriInfo().getPathParameters().getFirst(NAME);
    }
  }

  Door(
      SlowClients slowClients,
      ManagementPort management,
      ClientCheck clients,
      ShutdownGate shutdown,
      BodyLimit bodyLimit,
      ProblemWriter problems,
      Contract contract,
      Caller caller,
      RateLimits rates,
      BodyRoom room) {
    this.problems = problems;
    this.caller = caller;
    this.rates = rates;
    this.room = room;
    this.atTheRouter =
        List.of(
            always(slowClients::watch),
            // Before all steps that may refuse a request while its body arrives.
            always(BodyFlow::hold),
            Door::transfer,
            always(Door::withoutHttp1Headers),
            management::refusal,
            clients::refusal,
            shutdown::refusal,
            Door::path,
            caller::metricsRefusal,
            bodyLimit::refusal,
            always(context -> ApiRequest.begin(context, contract)));
    // Clients without permission for an operation or a filter learn nothing about it and use no
    // rate.
    this.behindKeyAndRole =
        List.of(
            this::name,
            this::rate,
            call -> ofApi(call, Door::query),
            call -> ofApi(call, Door::unexpectedBody),
            call -> ofApi(call, Door::precondition),
            this::body);
  }

  private static Function<RoutingContext, Optional<BloomException>> always(
      Consumer<RoutingContext> preparation) {
    return context -> {
      preparation.accept(context);
      return Optional.empty();
    };
  }

  private static <R> Optional<BloomException> refusal(
      List<Function<R, Optional<BloomException>>> steps, R request) {
    for (var step : steps) {
      var problem = step.apply(request);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  void register(@Observes Filters filters) {
    filters.register(this::passRouter, RequestOrder.DOOR);
  }

  private void passRouter(RoutingContext context) {
    var problem = refusal(atTheRouter, context);
    if (problem.isPresent()) {
      problems.answer(context.response(), problem.get());
    } else {
      context.next();
    }
  }

  /** Before the framework looks for a resource; also answers OPTIONS. */
  @ServerRequestFilter(preMatching = true)
  Optional<Response> passBeforeMatching(RoutingContext context, ContainerRequestContext request) {
    var toApi = ApiRequest.of(context);
    if (request.getMethod().equals(HttpMethod.OPTIONS)) {
      var allowed = toApi.flatMap(ApiRequest::allowed).orElseThrow(RequestErrors::noSuchResource);
      return Optional.of(Response.ok().header(HttpHeaders.ALLOW.toString(), allowed).build());
    }
    refuse(toApi.flatMap(ApiRequest::refusal));
    return Optional.empty();
  }

  /** After the framework's check of key and role. */
  @Override
  public void filter(ResteasyReactiveContainerRequestContext chain) {
    var request = (ResteasyReactiveRequestContext) chain.getServerRequestContext();
    refuse(refusal(behindKeyAndRole, new Call(request.unwrap(RoutingContext.class), request)));
  }

  private static void refuse(Optional<BloomException> problem) {
    if (problem.isPresent()) {
      throw problem.get();
    }
  }

  /**
   * Refuses a transfer coding other than {@code chunked} and everything after it on the connection.
   * The framework would read such a body as further requests, which a proxy has passed as a body.
   */
  private static Optional<BloomException> transfer(RoutingContext context) {
    var codings = context.request().headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    if (codings.isEmpty() || (codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked"))) {
      return Optional.empty();
    }
    RequestTurns.endAfterThis(context.request());
    return Optional.of(
        RequestErrors.invalid(
            "The request has a Transfer-Encoding other than chunked. Send the body with a"
                + " Content-Length or in chunks, and compressed with Content-Encoding: gzip."));
  }

  /** HTTP/2 has no header {@code Connection}; clients reject a response with it as malformed. */
  private static void withoutHttp1Headers(RoutingContext context) {
    if (context.request().version() == HttpVersion.HTTP_2) {
      context.addHeadersEndHandler(
          written -> context.response().headers().remove(HttpHeaders.CONNECTION));
    }
  }

  /** Refuses matrix parameters: the framework removes them, so "a;b" would name filter "a". */
  private static Optional<BloomException> path(RoutingContext context) {
    var path = context.request().path();
    return path == null || path.indexOf(';') < 0
        ? Optional.empty()
        : Optional.of(RequestErrors.noSuchResource());
  }

  /** Operations themselves check names that are not in the path. */
  private Optional<BloomException> name(Call call) {
    if (caller.scope(call.context).isAll()) {
      return Optional.empty();
    }
    var name = call.name();
    return name == null ? Optional.empty() : caller.nameRefusal(call.context, name);
  }

  private Optional<BloomException> rate(Call call) {
    if (!rates.areOnRequests()) {
      return Optional.empty();
    }
    var name = call.name();
    var isName = name != null && name.length() <= FilterName.MAX_LENGTH;
    return rates.takeRequest(call.context, isName ? name : null);
  }

  private static Optional<BloomException> ofApi(
      Call call, BiFunction<ApiRequest, RoutingContext, Optional<BloomException>> step) {
    return ApiRequest.of(call.context).flatMap(request -> step.apply(request, call.context));
  }

  private static Optional<BloomException> query(ApiRequest request, RoutingContext context) {
    return request.readQuery(context.request().query());
  }

  private static Optional<BloomException> unexpectedBody(
      ApiRequest request, RoutingContext context) {
    return request.takesBody() || !BodyLimit.hasBody(context)
        ? Optional.empty()
        : Optional.of(
            RequestErrors.invalid(
                "The request has a body, but this operation takes none. Nothing was done; leave it out."));
  }

  private static Optional<BloomException> precondition(ApiRequest request, RoutingContext context) {
    var http = context.request();
    var method = http.method().name();
    if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
      return Optional.empty();
    }
    return PRECONDITIONS.stream()
        .filter(http.headers()::contains)
        .findFirst()
        .map(
            header ->
                RequestErrors.invalid(
                    "The request has the header %s, which only GET and HEAD support here. Nothing was done; leave it out."
                        .formatted(header)));
  }

  /** Last, because it takes memory. */
  private Optional<BloomException> body(Call call) {
    BodyLimit.leaveToReader(call.context);
    room.gather(call.context, call.framework);
    return Optional.empty();
  }
}
