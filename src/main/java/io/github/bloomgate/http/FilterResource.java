package io.github.bloomgate.http;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.AdoptionService;
import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.CreateOutcome;
import io.github.bloomgate.filters.CreationService;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.CopyRequest;
import io.github.bloomgate.http.request.CreateFilterRequest;
import io.github.bloomgate.http.request.ExpiryRequest;
import io.github.bloomgate.http.request.MergeRequest;
import io.github.bloomgate.http.request.RenameRequest;
import io.github.bloomgate.http.response.FilterView;
import io.github.bloomgate.http.response.FilterViews;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.RequestErrors;
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
import org.jboss.resteasy.reactive.RestResponse;

/** Creates, changes, combines and deletes filters. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class FilterResource {

  private static final String KEPT_EXPIRY =
      "The filter exists and keeps its own expiry. PUT /v1/filters/%s/expiry changes it.";

  private final CreationService creations;
  private final AdoptionService adoptions;
  private final FilterService filters;
  private final CopyService copies;
  private final MergeService merges;
  private final RenameService renames;
  private final DescriptionService descriptions;
  private final FilterViews views;
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
      FilterViews views,
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
    this.views = views;
    this.caller = caller;
    this.clock = clock;
  }

  @PUT
  @Path("/{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  public RestResponse<FilterView> create(
      FilterName name, CreateFilterRequest body, RoutingContext context) {
    if (body.redisKey != null) {
      if (body.template) {
        throw RequestErrors.invalid(
            "template cannot be used with redisKey: no filter can be created like one with the bitmap of another library. Leave one of them out.");
      }
      if (body.idleSeconds != null) {
        throw RequestErrors.invalid(
            "idleSeconds cannot be used with redisKey: adds and tests of the other library cannot be seen. Leave one of them out, or send ttlSeconds or expiresAt.");
      }
      caller.requireAdoptedKey(context, AdoptedKey.of(body.scheme(), body.redisKey));
    }
    var expiry = body.expiry().orNone(clock);
    var quota = caller.identity(context).quota();
    var made =
        body.redisKey == null
            ? create(name, body, expiry, quota)
            : adoptions.adopt(
                name,
                body.redisKey,
                body.scheme(),
                body.toAdoptedParameters(),
                expiry.expiresAt(),
                quota);
    var keepsExpiry = !made.created() && !expiry.equals(NewExpiry.NONE);
    var view = views.of(made.description(), keepsExpiry ? KEPT_EXPIRY.formatted(name) : null);
    return made.created()
        ? CreatedResponse.of(view, "v1/filters/" + name, context)
        : RestResponse.ok(view);
  }

  private CreateOutcome create(
      FilterName name, CreateFilterRequest body, NewExpiry expiry, Quota quota) {
    var parameters = body.toParameters(usualBound);
    return body.template
        ? creations.createTemplate(name, parameters, expiry, quota)
        : creations.create(name, parameters, expiry, quota);
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
    return describe(filters.expire(name, body.required(clock)));
  }

  @DELETE
  @Path("/{name}/expiry")
  public FilterView removeExpiry(FilterName name) {
    return describe(filters.expire(name, NewExpiry.NONE));
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
    var expiresAt = ExpiryRequest.atTime(body.ttlSeconds(), body.expiresAt(), clock);
    var copy =
        copies.copy(
            name,
            to,
            body.replace(),
            expiresAt,
            caller.identity(context).quota(),
            caller.client(context));
    return CreatedResponse.of(describe(copy), "v1/filters/" + to, context);
  }

  @POST
  @Path("/{name}/merge")
  @Consumes(MediaType.APPLICATION_JSON)
  public FilterView merge(FilterName name, MergeRequest body, RoutingContext context) {
    body.from().forEach(from -> caller.requireName(context, from));
    var merged = merges.merge(name, body.names(), body.limit(), caller.client(context));
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

  private FilterView describe(ChangedFilter changed) {
    return views.of(descriptions.describeChanged(changed));
  }
}
