package io.github.bloomgate.http.access;

import io.github.bloomgate.http.problem.ProblemMapper;
import io.github.bloomgate.http.security.Challenge;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns refusals by Quarkus Security into problem documents. */
class AccessProblems {

  private final Caller caller;
  private final RefusalMeters meters;

  AccessProblems(Caller caller, RefusalMeters meters) {
    this.caller = caller;
    this.meters = meters;
  }

  /** An invalid credential. */
  @ServerExceptionMapper
  Response unknown(AuthenticationFailedException failed) {
    return unauthenticated(AccessErrors.unknownKey());
  }

  /** No credential. */
  @ServerExceptionMapper
  Response missing(UnauthorizedException missing) {
    return unauthenticated(AccessErrors.missingKey());
  }

  private Response unauthenticated(BloomException error) {
    meters.count(RefusalMeters.Reason.KEY);
    return Response.fromResponse(ProblemMapper.response(error).toResponse())
        .header(Challenge.HEADER, Challenge.BEARER)
        .build();
  }

  /** A key without the required role. */
  @ServerExceptionMapper
  Response forbidden(ForbiddenException forbidden, RoutingContext context, ResourceInfo operation) {
    meters.count(RefusalMeters.Reason.ROLE);
    var identity = caller.identity(context);
    var needed = operation.getResourceMethod().getAnnotation(RolesAllowed.class);
    return ProblemMapper.response(
            AccessErrors.roleNeeded(
                identity.id(),
                identity.role().roleName(),
                needed == null ? "that no key has" : needed.value()[0]))
        .toResponse();
  }
}
