package io.github.bloomgate.http.access;

import io.github.bloomgate.http.problem.Problem;
import io.github.bloomgate.http.problem.ProblemMapper;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.container.ResourceInfo;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns refusals by Quarkus Security into problem documents. */
class AccessProblems {

  private final Caller caller;
  private final RefusalMeters meters;

  AccessProblems(Caller caller, RefusalMeters meters) {
    this.caller = caller;
    this.meters = meters;
  }

  @ServerExceptionMapper
  RestResponse<Problem> unknown(AuthenticationFailedException failed) {
    return unauthenticated(AccessErrors.unknownKey());
  }

  @ServerExceptionMapper
  RestResponse<Problem> missing(UnauthorizedException missing) {
    return unauthenticated(AccessErrors.missingKey());
  }

  private RestResponse<Problem> unauthenticated(BloomException error) {
    meters.count(RefusalMeters.Reason.KEY);
    return ProblemMapper.response(error);
  }

  @ServerExceptionMapper
  RestResponse<Problem> forbidden(
      ForbiddenException forbidden, RoutingContext context, ResourceInfo operation) {
    meters.count(RefusalMeters.Reason.ROLE);
    var identity = caller.identity(context);
    var needed = operation.getResourceMethod().getAnnotation(RolesAllowed.class);
    return ProblemMapper.response(
        AccessErrors.roleNeeded(
            identity.id(),
            identity.role().roleName(),
            needed == null ? "that no key has" : needed.value()[0]));
  }
}
