package io.github.bloomgate.http;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterListView;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.answer.PolledAnswers;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.Cursor;
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

  private final DescriptionService descriptions;
  private final Caller caller;
  private final PolledAnswers answers;

  DescriptionResource(DescriptionService descriptions, Caller caller, PolledAnswers answers) {
    this.descriptions = descriptions;
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
    return answers.answer(context, question, () -> FilterListView.of(page(question)));
  }

  private FilterPage page(ListQuestion question) {
    return descriptions.list(
        question.prefixes, question.after, question.limit, question.withFigures);
  }

  /** Also answers HEAD. */
  @GET
  @Path("/{name}")
  public Response describe(FilterName name, RoutingContext context) {
    return answers.answer(context, name, () -> FilterView.of(descriptions.describe(name)));
  }

  /** Everything a page of the list depends on, including the names visible to the key. */
  private record ListQuestion(
      List<String> prefixes, Optional<FilterName> after, int limit, boolean withFigures) {}
}
