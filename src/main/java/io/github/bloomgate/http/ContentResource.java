package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.CommitRequest;
import io.github.bloomgate.http.request.FilterChoice;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.rebuild.Rebuilds;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import org.jboss.resteasy.reactive.RestPath;

/** Replaces the content of a filter from a stream of elements. */
@Path("/v1/filters")
@Blocking
public class ContentResource {

  /** Longer than the idle timeout of a connection; each batch renews it. */
  private static final Duration LOAD_IDLE_TIMEOUT = Duration.ofMinutes(2);

  private final Rebuilds rebuilds;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final LineRequests requests;
  private final Clock clock;

  ContentResource(
      Rebuilds rebuilds,
      DescriptionService descriptions,
      Caller caller,
      LineRequests requests,
      Clock clock) {
    this.rebuilds = rebuilds;
    this.descriptions = descriptions;
    this.caller = caller;
    this.requests = requests;
    this.clock = clock;
  }

  @PUT
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/elements")
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces(MediaType.APPLICATION_JSON)
  public FilterView replace(
      @RestPath String name,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var query = ApiRequest.query(context);
    var parameters = FilterChoice.of(query);
    var commit =
        new CommitRequest(
            query.flag("allowEmpty"),
            query.whole("minElements").orElse(null),
            query.whole("ttlSeconds").orElse(null),
            null);
    var request = requests.open(name, body, headers, context);
    request.slot().take();
    try (var rebuild =
        rebuilds.open(
            filterName,
            live -> parameters.toParameters(live, Growth.MAX_SIZE_BYTES),
            LOAD_IDLE_TIMEOUT,
            caller.quota(context))) {
      var stream =
          ElementStream.ofReplacement(
              request.lines(), request.paced(rebuild.next(), rebuild::load));
      stream.finish();
      return FilterView.of(
          descriptions.describeChanged(rebuild.commit(commit.atLeast(), commit.deadline(clock))));
    } finally {
      request.slot().giveBack();
    }
  }
}
