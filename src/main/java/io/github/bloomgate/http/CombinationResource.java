package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.CopyRequest;
import io.github.bloomgate.http.request.Deadline;
import io.github.bloomgate.http.request.MergeRequest;
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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** Filters made of filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.FILTERS)
public class CombinationResource {

  private final CopyService copies;
  private final MergeService merges;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final Clock clock;

  CombinationResource(
      CopyService copies,
      MergeService merges,
      DescriptionService descriptions,
      Caller caller,
      Clock clock) {
    this.copies = copies;
    this.merges = merges;
    this.descriptions = descriptions;
    this.caller = caller;
    this.clock = clock;
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/copy")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "copyFilter",
      summary = "Copy a filter",
      description =
          "Makes another filter of the same parameters and the same bits, which appears in one step"
              + " when it is whole. Every element whose add was answered before is in it; one that"
              + " is added meanwhile may be. With `replace` it takes the place of the filter that"
              + " bears the name; what is added to that one meanwhile is in the copy too.")
  @APIResponse(
      responseCode = "201",
      description = "The copy",
      content = @Content(schema = @Schema(implementation = FilterView.class)))
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public RestResponse<FilterView> copy(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      CopyRequest body,
      @Context RoutingContext context) {
    caller.requireName(context, body.to());
    var from = new FilterName(name);
    var to = new FilterName(body.to());
    var expiresAt = Deadline.of(body.ttlSeconds(), body.expiresAt(), clock);
    copies.copy(
        from, to, body.replaces(), expiresAt, caller.quota(context), context.response()::closed);
    return CreatedAnswer.of(
        FilterView.of(descriptions.describeChanged(to)), "v1/filters/" + to, context);
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/merge")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "mergeFilters",
      summary = "Merge filters into a filter",
      description =
          "Adds to a filter all that others hold, which stay as they are: the union of filters with"
              + " the same `hashScheme`, `elementCodec`, `bitSize` and `numHashFunctions`, and of keyed"
              + " ones with the same key, which only a filter and its copies share, and of those that"
              + " forget by time with the same `window` and `slices`. Filters that count or forget by"
              + " insertions are refused. It takes effect"
              + " in one step, or not at all. Until then the filter takes twice the memory, and a rebuild"
              + " of it is open. Every element whose add was answered before is in the union, and"
              + " so is what is added to the filter itself meanwhile.")
  @APIResponse(responseCode = "200", description = "The filter with the union")
  public FilterView merge(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      MergeRequest body,
      @Context RoutingContext context) {
    body.from().forEach(from -> caller.requireName(context, from));
    var filterName = new FilterName(name);
    merges.merge(filterName, body.names(), body.limit(), context.response()::closed);
    return FilterView.of(descriptions.describeChanged(filterName));
  }
}
