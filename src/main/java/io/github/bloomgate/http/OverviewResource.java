package io.github.bloomgate.http;

import io.github.bloomgate.filters.OverviewService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.OverviewView;
import io.github.bloomgate.http.answer.PolledAnswers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** The key and the state of the service, shown above the console's list. */
@Path("/v1/overview")
@Produces(MediaType.APPLICATION_JSON)
public class OverviewResource {

  private final OverviewService overview;
  private final Caller caller;
  private final PolledAnswers answers;
  private final MeterRegistry meters;

  OverviewResource(
      OverviewService overview, Caller caller, PolledAnswers answers, MeterRegistry meters) {
    this.overview = overview;
    this.caller = caller;
    this.answers = answers;
    this.meters = meters;
  }

  @GET
  public Response overview(RoutingContext context) {
    var identity = caller.identity(context);
    var age = PolledAnswers.allowedAge(context);
    var key = OverviewView.Key.of(identity);
    var filters = overview.filters(identity.scope().within(""), age);
    // Values from Redis are shared; the counters are current, for clients that compute differences.
    return answers.answer(
        context,
        identity.scope().isAll()
            ? new OverviewView(key, filters, overview.memory(age), work())
            : new OverviewView(key, filters, null, null));
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
