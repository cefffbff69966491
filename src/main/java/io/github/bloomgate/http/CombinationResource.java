package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.request.CopyRequest;
import io.github.bloomgate.http.request.Deadline;
import io.github.bloomgate.http.request.MergeRequest;
import io.github.bloomgate.http.request.RenameRequest;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.CopyService;
import io.github.bloomgate.rebuild.MergeService;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import org.jboss.resteasy.reactive.RestResponse;

/** Copies, merges and renames filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class CombinationResource {

  private final CopyService copies;
  private final MergeService merges;
  private final RenameService renames;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final Clock clock;

  CombinationResource(
      CopyService copies,
      MergeService merges,
      RenameService renames,
      DescriptionService descriptions,
      Caller caller,
      Clock clock) {
    this.copies = copies;
    this.merges = merges;
    this.renames = renames;
    this.descriptions = descriptions;
    this.caller = caller;
    this.clock = clock;
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/copy")
  @Consumes(MediaType.APPLICATION_JSON)
  public RestResponse<FilterView> copy(FilterName name, CopyRequest body, RoutingContext context) {
    caller.requireName(context, body.to());
    var from = name;
    var to = new FilterName(body.to());
    var expiresAt = Deadline.of(body.ttlSeconds(), body.expiresAt(), clock);
    var copy =
        copies.copy(
            from,
            to,
            body.replaces(),
            expiresAt,
            caller.quota(context),
            context.response()::closed);
    return CreatedAnswer.of(
        FilterView.of(descriptions.describeChanged(copy)), "v1/filters/" + to, context);
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/merge")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView merge(FilterName name, MergeRequest body, RoutingContext context) {
    body.from().forEach(from -> caller.requireName(context, from));
    var merged = merges.merge(name, body.names(), body.limit(), context.response()::closed);
    return FilterView.of(descriptions.describeChanged(merged));
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rename")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView rename(FilterName name, RenameRequest body, RoutingContext context) {
    caller.requireName(context, body.to());
    var to = new FilterName(body.to());
    return FilterView.of(descriptions.describeChanged(renames.rename(name, to, body.replaces())));
  }
}
