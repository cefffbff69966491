package io.github.bloomgate.http;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.AdoptionService;
import io.github.bloomgate.filters.Changed;
import io.github.bloomgate.filters.CreationService;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.CopyRequest;
import io.github.bloomgate.http.request.CreateFilterRequest;
import io.github.bloomgate.http.request.ExpiryRequest;
import io.github.bloomgate.http.request.MergeRequest;
import io.github.bloomgate.http.request.RenameRequest;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.CopyService;
import io.github.bloomgate.rebuild.MergeService;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** Creates, changes, combines and deletes filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class FilterResource {

  private static final String KEPT_DEADLINE =
      "The filter exists and keeps its own expiry. PUT /v1/filters/%s/expiry changes it.";

  private final CreationService creations;
  private final AdoptionService adoptions;
  private final FilterService filters;
  private final CopyService copies;
  private final MergeService merges;
  private final RenameService renames;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final Clock clock;
  private final long usualBound;

  FilterResource(
      CreationService creations,
      AdoptionService adoptions,
      FilterService filters,
      CopyService copies,
      MergeService merges,
      RenameService renames,
      DescriptionService descriptions,
      Caller caller,
      Clock clock,
      BloomgateConfig config) {
    this.usualBound = config.growth().maxSize().asLongValue();
    this.creations = creations;
    this.adoptions = adoptions;
    this.filters = filters;
    this.copies = copies;
    this.merges = merges;
    this.renames = renames;
    this.descriptions = descriptions;
    this.caller = caller;
    this.clock = clock;
  }

  @PUT
  @Path("/{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  public RestResponse<FilterView> create(
      FilterName name, CreateFilterRequest body, RoutingContext context) {
    if (body.redisKey != null) {
      caller.requireAdoptedKey(context, AdoptedKey.of(body.scheme(), body.redisKey));
    }
    var expiresAt = new ExpiryRequest(body.ttlSeconds, body.expiresAt).orNone(clock);
    var quota = caller.identity(context).quota();
    var made =
        body.redisKey == null
            ? creations.create(name, body.toParameters(usualBound), expiresAt, quota)
            : adoptions.adopt(
                name, body.redisKey, body.scheme(), body.toAdoptedParameters(), expiresAt, quota);
    var keepsDeadline = !made.created() && expiresAt.isPresent();
    var view =
        FilterView.of(made.description(), keepsDeadline ? KEPT_DEADLINE.formatted(name) : null);
    return made.created()
        ? CreatedAnswer.of(view, "v1/filters/" + name, context)
        : RestResponse.ok(view);
  }

  @DELETE
  @Path("/{name}")
  public void delete(FilterName name, RoutingContext context) {
    var andAdoptedKey = ApiRequest.query(context).flag("deleteKey");
    if (andAdoptedKey && !caller.identity(context).scope().isAll()) {
      filters.adoptedKey(name).ifPresent(key -> caller.requireAdoptedKey(context, key));
    }
    filters.delete(name, andAdoptedKey);
  }

  @PUT
  @Path("/{name}/expiry")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView setExpiry(FilterName name, ExpiryRequest body) {
    return describe(filters.expire(name, Optional.of(body.toInstant(clock))));
  }

  @DELETE
  @Path("/{name}/expiry")
  public FilterView removeExpiry(FilterName name) {
    return describe(filters.expire(name, Optional.empty()));
  }

  @POST
  @Path("/{name}/clear")
  public FilterView clear(FilterName name) {
    return describe(filters.clear(name));
  }

  @POST
  @Path("/{name}/copy")
  @Consumes(MediaType.APPLICATION_JSON)
  public RestResponse<FilterView> copy(FilterName name, CopyRequest body, RoutingContext context) {
    caller.requireName(context, body.to());
    var to = new FilterName(body.to());
    var expiresAt = new ExpiryRequest(body.ttlSeconds(), body.expiresAt()).orNone(clock);
    var copy =
        copies.copy(
            name,
            to,
            body.replace(),
            expiresAt,
            caller.identity(context).quota(),
            context.response()::closed);
    return CreatedAnswer.of(describe(copy), "v1/filters/" + to, context);
  }

  @POST
  @Path("/{name}/merge")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView merge(FilterName name, MergeRequest body, RoutingContext context) {
    body.from().forEach(from -> caller.requireName(context, from));
    var merged = merges.merge(name, body.names(), body.limit(), context.response()::closed);
    return describe(merged);
  }

  @POST
  @Path("/{name}/rename")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView rename(FilterName name, RenameRequest body, RoutingContext context) {
    caller.requireName(context, body.to());
    var to = new FilterName(body.to());
    return describe(renames.rename(name, to, body.replace()));
  }

  private FilterView describe(Changed changed) {
    return FilterView.of(descriptions.describeChanged(changed));
  }
}
