package io.github.bloomgate.http;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.AdoptionService;
import io.github.bloomgate.filters.CreationService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.request.CreateFilterRequest;
import io.github.bloomgate.http.request.Deadline;
import io.github.bloomgate.http.request.QueryFlag;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** Filters as wholes. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.FILTERS)
public class FilterResource {

  private static final String DELETE_KEY = "deleteKey";
  private static final String KEPT_DEADLINE =
      "The filter exists and keeps its own deadline. PUT /v1/filters/%s/expiry sets another.";

  private final CreationService creations;
  private final AdoptionService adoptions;
  private final FilterService filters;
  private final Caller caller;
  private final Clock clock;
  private final long usualBound;

  FilterResource(
      CreationService creations,
      AdoptionService adoptions,
      FilterService filters,
      Caller caller,
      Clock clock,
      BloomgateConfig config) {
    this.usualBound = config.growth().maxSize().asLongValue();
    this.creations = creations;
    this.adoptions = adoptions;
    this.filters = filters;
    this.caller = caller;
    this.clock = clock;
  }

  @PUT
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "createFilter",
      summary = "Create a filter",
      description =
          "Creates an empty filter, or finds one of the same parameters. One that exists keeps the"
              + " deadline that it has, as its `expiresAt` tells, whatever the request asks for; `PUT"
              + " /v1/filters/{name}/expiry` sets another. With `redisKey` it adopts the bitmap that another library"
              + " keeps in Redis.")
  @APIResponse(
      responseCode = "201",
      description = "Created",
      content = @Content(schema = @Schema(implementation = FilterView.class)))
  @APIResponse(
      responseCode = "200",
      description =
          "It existed, with the same parameters; its deadline is its own, and `setExpiry` changes it",
      content = @Content(schema = @Schema(implementation = FilterView.class)))
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public RestResponse<FilterView> create(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      CreateFilterRequest body,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var parameters = body.parameters();
    if (body.redisKey() != null) {
      caller.requireAdoptedKey(context, AdoptedKey.of(parameters.scheme(), body.redisKey()));
    }
    var expiresAt = Deadline.of(body.ttlSeconds(), body.expiresAt(), clock);
    var quota = caller.quota(context);
    var made =
        body.redisKey() == null
            ? creations.create(filterName, parameters.toParameters(usualBound), expiresAt, quota)
            : adoptions.adopt(
                filterName,
                body.redisKey(),
                parameters.scheme(),
                parameters.toAdoptedParameters(),
                expiresAt,
                quota);
    var keepsDeadline = !made.created() && expiresAt.isPresent();
    var view =
        FilterView.of(
            made.description(), keepsDeadline ? KEPT_DEADLINE.formatted(filterName) : null);
    return made.created()
        ? CreatedAnswer.of(view, "v1/filters/" + filterName, context)
        : RestResponse.ok(view);
  }

  @DELETE
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}")
  @QueryNames(DELETE_KEY)
  @Operation(
      operationId = "deleteFilter",
      summary = "Delete a filter",
      description =
          "Deletes a filter and all its content, whole or damaged. The bitmap of another library that"
              + " it has adopted stays, unless `deleteKey` is true. With that, an API key limited to"
              + " prefixes is refused if the Redis key is outside them, or if the filter is damaged,"
              + " which it deletes without `deleteKey`.")
  @APIResponse(responseCode = "204", description = "Deleted")
  public void delete(
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
              example = ApiDefinition.RENAMED_EXAMPLE)
          @RestPath
          String name,
      @Parameter(
              description =
                  "Whether the adopted Redis key is deleted too, and the config hash or counter beside it",
              schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
          @RestQuery
          String deleteKey,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var andAdoptedKey = QueryFlag.read(DELETE_KEY, deleteKey);
    if (andAdoptedKey && !caller.scope(context).isAll()) {
      filters.adoptedKey(filterName).ifPresent(key -> caller.requireAdoptedKey(context, key));
    }
    filters.delete(filterName, andAdoptedKey);
  }
}
