package io.github.bloomgate.http;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.AdoptionService;
import io.github.bloomgate.filters.CreationService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.CreateFilterRequest;
import io.github.bloomgate.http.request.Deadline;
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
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** Creates and deletes filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class FilterResource {

  private static final String KEPT_DEADLINE =
      "The filter exists and keeps its own expiry. PUT /v1/filters/%s/expiry sets another.";

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
  public RestResponse<FilterView> create(
      @RestPath String name, CreateFilterRequest body, @Context RoutingContext context) {
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
  public void delete(@RestPath String name, @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var andAdoptedKey = ApiRequest.query(context).flag("deleteKey");
    if (andAdoptedKey && !caller.scope(context).isAll()) {
      filters.adoptedKey(filterName).ifPresent(key -> caller.requireAdoptedKey(context, key));
    }
    filters.delete(filterName, andAdoptedKey);
  }
}
