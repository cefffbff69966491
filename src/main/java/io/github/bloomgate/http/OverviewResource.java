package io.github.bloomgate.http;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.OverviewService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.access.NameScope;
import io.github.bloomgate.http.response.OverviewView;
import io.github.bloomgate.http.response.PolledResponses;
import io.github.bloomgate.rebuild.ContentTransfers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** The key and the state of the service, shown above the console's list. */
@Path("/v1/overview")
@Produces(MediaType.APPLICATION_JSON)
public class OverviewResource {

  private final OverviewService overview;
  private final Caller caller;
  private final PolledResponses answers;
  private final boolean servesHealth;
  private final MeterRegistry meters;
  private final ContentTransfers transfers;

  OverviewResource(
      OverviewService overview,
      Caller caller,
      PolledResponses answers,
      BloomgateConfig config,
      MeterRegistry meters,
      ContentTransfers transfers) {
    this.overview = overview;
    this.servesHealth = config.management().port().isEmpty();
    this.caller = caller;
    this.answers = answers;
    this.meters = meters;
    this.transfers = transfers;
  }

  @GET
  public Response overview(RoutingContext context) {
    var identity = caller.identity(context);
    var age = PolledResponses.allowedAge(context);
    var key = OverviewView.Key.of(identity);
    var filters = overview.filters(identity.scope().within(""), age);
    var running = running(identity.scope());
    // Values from Redis are shared; the counters are current, for clients that compute differences.
    return answers.answer(
        context,
        identity.scope().isAll()
            ? new OverviewView(
                key,
                filters,
                servesHealth,
                overview.memory(age),
                overview.warnings(),
                work(),
                running)
            : new OverviewView(key, filters, servesHealth, null, List.of(), null, running));
  }

  private List<OverviewView.InProgress> running(NameScope scope) {
    return transfers.running().stream()
        .filter(transfer -> scope.includes(transfer.filter().value()))
        .map(OverviewView.InProgress::of)
        .toList();
  }

  private OverviewView.Work work() {
    var requests = meters.find("http.server.requests").timers();
    return new OverviewView.Work(
        requests.stream().mapToLong(Timer::count).sum(),
        total("bloom.elements.added"),
        total("bloom.elements.tested"));
  }

  private long total(String name) {
    return (long) meters.find(name).counters().stream().mapToDouble(Counter::count).sum();
  }
}
