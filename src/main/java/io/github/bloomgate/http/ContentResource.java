package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.limits.RateLimits;
import io.github.bloomgate.http.request.CommitRequest;
import io.github.bloomgate.http.request.Deadline;
import io.github.bloomgate.http.request.ParameterChoice;
import io.github.bloomgate.http.request.QueryFlag;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.QueryNumber;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.ElementStream;
import io.github.bloomgate.http.stream.StreamBody;
import io.github.bloomgate.http.stream.StreamSlots;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.rebuild.Rebuilds;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
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
import org.jboss.resteasy.reactive.RestQuery;

/** New content for a filter, from streams of elements. */
@Path("/v1/filters")
@Blocking
public class ContentResource {

  private static final String INSERTIONS = "expectedInsertions";
  private static final String PROBABILITY = "falsePositiveProbability";
  private static final String TTL = "ttlSeconds";
  private static final String ALLOW_EMPTY = "allowEmpty";
  private static final String MIN_ELEMENTS = "minElements";

  /** Longer than a connection may be silent: each batch renews it. */
  private static final Duration LOAD_IDLE_TIMEOUT = Duration.ofMinutes(2);

  private final Rebuilds rebuilds;
  private final DescriptionService descriptions;
  private final Caller caller;
  private final StreamSlots slots;
  private final RateLimits rates;
  private final Clock clock;

  ContentResource(
      Rebuilds rebuilds,
      DescriptionService descriptions,
      Caller caller,
      StreamSlots slots,
      RateLimits rates,
      Clock clock) {
    this.rebuilds = rebuilds;
    this.descriptions = descriptions;
    this.caller = caller;
    this.slots = slots;
    this.rates = rates;
    this.clock = clock;
  }

  @PUT
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/elements")
  @QueryNames({INSERTIONS, PROBABILITY, TTL, ALLOW_EMPTY, MIN_ELEMENTS, StreamQuery.ENCODING})
  @Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
  @Produces(MediaType.APPLICATION_JSON)
  public FilterView replace(
      @RestPath String name,
      @RestQuery String expectedInsertions,
      @RestQuery String falsePositiveProbability,
      @RestQuery String ttlSeconds,
      @RestQuery String allowEmpty,
      @RestQuery String minElements,
      @RestQuery @DefaultValue("utf-8") String encoding,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var parameters = parameters(expectedInsertions, falsePositiveProbability);
    var commit =
        new CommitRequest(
            QueryFlag.read(ALLOW_EMPTY, allowEmpty),
            QueryNumber.integer(
                    MIN_ELEMENTS, minElements, 0, FilterParameters.MAX_EXPECTED_INSERTIONS)
                .orElse(null),
            QueryNumber.integer(TTL, ttlSeconds, 1, Deadline.MAX_TTL_SECONDS).orElse(null),
            null);
    var slot = slots.ofLines(caller.client(context));
    var lines =
        StreamBody.lines(
            context,
            headers.getMediaType(),
            body,
            ElementEncoding.named(encoding),
            rates.batchBytes(slot));
    slot.take();
    try (var rebuild =
        rebuilds.open(
            filterName, parameters::toParameters, LOAD_IDLE_TIMEOUT, caller.quota(context))) {
      var stream =
          ElementStream.ofReplacement(lines, rates.paced(context, rebuild.next(), rebuild::load));
      stream.finish();
      rebuild.commit(commit.atLeast(), commit.deadline(clock));
      return FilterView.of(descriptions.describeChanged(filterName));
    } finally {
      slot.giveBack();
    }
  }

  private static ParameterChoice parameters(
      String expectedInsertions, String falsePositiveProbability) {
    return new ParameterChoice(
        QueryNumber.integer(
                INSERTIONS, expectedInsertions, 1, FilterParameters.MAX_EXPECTED_INSERTIONS)
            .orElse(null),
        QueryNumber.probability(PROBABILITY, falsePositiveProbability).orElse(null),
        null,
        null,
        null,
        null,
        null);
  }
}
