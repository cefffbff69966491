package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.ExpiryRequest;
import io.github.bloomgate.http.request.RenameRequest;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterName;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/** What is changed of a filter as a whole. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.FILTERS)
public class FilterChangeResource {

  private final FilterService filters;
  private final RenameService renames;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final Clock clock;

  FilterChangeResource(
      FilterService filters,
      RenameService renames,
      DescriptionService descriptions,
      Caller caller,
      Clock clock) {
    this.filters = filters;
    this.renames = renames;
    this.descriptions = descriptions;
    this.caller = caller;
    this.clock = clock;
  }

  @PUT
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/expiry")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "setExpiry",
      summary = "Set the deadline",
      description = "Sets when a filter vanishes with all its content; replaces an earlier one.")
  @APIResponse(responseCode = "200", description = "The filter")
  public FilterView setExpiry(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name, ExpiryRequest body) {
    var filterName = new FilterName(name);
    filters.expire(filterName, Optional.of(body.toInstant(clock)));
    return changed(filterName);
  }

  @DELETE
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/expiry")
  @Operation(
      operationId = "removeExpiry",
      summary = "Remove the deadline",
      description = "Lets a filter stay until it is deleted.")
  @APIResponse(responseCode = "200", description = "The filter")
  @APIResponse(responseCode = "507", ref = ApiDefinition.STORE_FULL)
  public FilterView removeExpiry(@Parameter(ref = ApiDefinition.NAME) @RestPath String name) {
    var filterName = new FilterName(name);
    filters.expire(filterName, Optional.empty());
    return changed(filterName);
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/clear")
  @Operation(
      operationId = "clearFilter",
      summary = "Empty a filter",
      description = "Drops all elements; parameters and deadline stay.")
  @APIResponse(responseCode = "200", description = "The filter, empty")
  public FilterView clear(@Parameter(ref = ApiDefinition.NAME) @RestPath String name) {
    var filterName = new FilterName(name);
    filters.clear(filterName);
    return changed(filterName);
  }

  @POST
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/rename")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "renameFilter",
      summary = "Rename a filter",
      description =
          "Gives a filter another name, its content and deadline included, in one step for its"
              + " readers. With `replace` it takes the place of the filter that bears the name. On a Redis"
              + " Cluster both names must be in the same slot; otherwise copy the filter and delete"
              + " it.")
  @APIResponse(responseCode = "200", description = "The filter under its new name")
  public FilterView rename(
      @Parameter(
              name = ApiDefinition.NAME,
              in = ParameterIn.PATH,
              description = ApiDefinition.NAME_DESCRIPTION,
              schema =
                  @Schema(
                      type = SchemaType.STRING,
                      minLength = 1,
                      maxLength = FilterName.MAX_LENGTH,
                      pattern = FilterName.PATTERN),
              example = ApiDefinition.COPY_EXAMPLE)
          @RestPath
          String name,
      RenameRequest body,
      @Context RoutingContext context) {
    caller.requireName(context, body.to());
    var to = new FilterName(body.to());
    renames.rename(new FilterName(name), to, body.replaces());
    return changed(to);
  }

  private FilterView changed(FilterName name) {
    return FilterView.of(descriptions.describeChanged(name));
  }
}
