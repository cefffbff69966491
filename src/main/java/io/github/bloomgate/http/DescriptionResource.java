package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.Cursor;
import io.github.bloomgate.http.response.FilterListView;
import io.github.bloomgate.http.response.FilterViews;
import io.github.bloomgate.http.response.PolledResponses;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;

/** Descriptions and lists of filters, for clients that poll. */
@Path("/v1/filters")
@Produces(MediaType.APPLICATION_JSON)
public class DescriptionResource {

  private static final long DEFAULT_PAGE = 50;

  /** The description of a filter while a page is collected, which is more than its JSON. */
  private static final int BYTES = 1 << 10;

  private static final int BYTES_WITH_FIGURES = 1 << 11;

  private final DescriptionService descriptions;
  private final FilterViews views;
  private final Caller caller;
  private final PolledResponses answers;

  DescriptionResource(
      DescriptionService descriptions, FilterViews views, Caller caller, PolledResponses answers) {
    this.descriptions = descriptions;
    this.views = views;
    this.caller = caller;
    this.answers = answers;
  }

  @GET
  public Response list(RoutingContext context) {
    var query = ApiRequest.query(context);
    var question =
        new ListQuestion(
            caller.identity(context).scope().within(query.text("prefix").orElse("")),
            query.text("cursor").map(Cursor::parse),
            query.whole("limit").orElse(DEFAULT_PAGE).intValue(),
            query.flag("figures"));
    Exchange.of(context)
        .reserve((long) question.limit * (question.withFigures ? BYTES_WITH_FIGURES : BYTES));
    var client = client(context);
    return answers.answer(context, question, () -> FilterListView.of(page(question, client)));
  }

  private FilterPage page(ListQuestion question, Client client) {
    return descriptions.list(
        question.prefixes, question.after, question.limit, question.withFigures, client);
  }

  /** If others may wait for its response too, the work goes on when it leaves. */
  private Client client(RoutingContext context) {
    var client = caller.client(context);
    return PolledResponses.allowedAge(context).isZero()
        ? client
        : new Client(client.id(), () -> false);
  }

  /** Also answers HEAD. */
  @GET
  @Path("/{name}")
  public Response describe(FilterName name, RoutingContext context) {
    var client = client(context);
    return answers.answer(context, name, () -> views.of(descriptions.describe(name, client)));
  }

  /** Everything a page of the list depends on, including the names visible to the key. */
  private record ListQuestion(
      List<String> prefixes, Optional<FilterName> after, int limit, boolean withFigures) {}
}
