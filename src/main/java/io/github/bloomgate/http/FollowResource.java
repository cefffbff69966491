package io.github.bloomgate.http;

import io.github.bloomgate.follow.Followers;
import io.github.bloomgate.follow.Known;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.FollowRequest;
import io.github.bloomgate.http.stream.FollowResponses;
import io.github.bloomgate.http.stream.StreamedResponse;
import io.github.bloomgate.model.FilterName;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** Streams the bits of a filter and their changes to programs that test elements themselves. */
@Path("/v1/filters")
public class FollowResource {

  private static final String TYPE = "application/vnd.bloomgate.follow";

  private final Followers followers;
  private final FollowResponses responses;
  private final Caller caller;

  FollowResource(Followers followers, FollowResponses responses, Caller caller) {
    this.followers = followers;
    this.responses = responses;
    this.caller = caller;
  }

  @GET
  @Path("/{name}/follow")
  @Produces(TYPE)
  public Uni<RestResponse<StreamedResponse>> follow(FilterName name, RoutingContext context) {
    return follow(name, Optional.empty(), context);
  }

  @POST
  @Path("/{name}/follow")
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(TYPE)
  public Uni<RestResponse<StreamedResponse>> goOn(
      FilterName name, RoutingContext context, FollowRequest body) {
    return follow(name, body.known(), context);
  }

  private Uni<RestResponse<StreamedResponse>> follow(
      FilterName name, Optional<Known> known, RoutingContext context) {
    var isOnce = ApiRequest.query(context).flag("once");
    var place = followers.take(caller.client(context).id());
    // The client may go before there is a response.
    RequestEnd.then(context, place::leave);
    return place
        .follow(name, known, isOnce)
        .map(follower -> RestResponse.ok(responses.of(follower, name, context)));
  }
}
