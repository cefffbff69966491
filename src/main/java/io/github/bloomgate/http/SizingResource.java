package io.github.bloomgate.http;

import io.github.bloomgate.filters.SizingQuestion;
import io.github.bloomgate.filters.SizingResult;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.request.FilterChoice;
import io.github.bloomgate.http.response.SizingView;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;

/** Computes sizes of filters, without Redis. */
@Path("/v1/sizing")
@Produces(MediaType.APPLICATION_JSON)
public class SizingResource {

  @GET
  public SizingView size(RoutingContext context) {
    var query = ApiRequest.query(context);
    var choice = FilterChoice.of(query);
    var growsTo = query.whole("growsTo");
    var window = choice.window;
    if (window != null && window.seconds() != null && window.insertions() != null) {
      throw RequestErrors.invalid(
          "A window has either windowSeconds or windowInsertions. Send one of them.");
    }
    if (choice.slices != null && window == null) {
      throw RequestErrors.invalid(
          "slices apply only to filters with a window. Send windowSeconds or windowInsertions with them, or leave them out.");
    }
    if (choice.counting || window != null) {
      FilterChoice.refuse(
          choice.counting ? "counting" : "a window",
          "growsTo",
          growsTo.orElse(null),
          "This filter does not grow");
      return SizingView.of(SizingResult.of(choice.toParameters(Growth.MAX_SIZE_BYTES)));
    }
    if (choice.whenFull == WhenFull.GROW) {
      return SizingView.of(grown(choice, growsTo));
    }
    if (choice.growthFactor != null || growsTo.isPresent()) {
      throw RequestErrors.invalid(
          "growthFactor and growsTo apply only to filters that grow. Send whenFull=grow with them, or leave them out.");
    }
    var question =
        new SizingQuestion(
            Optional.ofNullable(choice.expectedInsertions),
            Optional.ofNullable(choice.falsePositiveProbability),
            Optional.ofNullable(choice.bitSize),
            Optional.ofNullable(choice.numHashFunctions));
    return SizingView.of(question.solve(choice.scheme()));
  }

  private static SizingResult grown(FilterChoice choice, Optional<Long> growsTo) {
    var sized = "Its layers are sized by expectedInsertions and falsePositiveProbability";
    FilterChoice.refuse("whenFull=grow", "bitSize", choice.bitSize, sized);
    FilterChoice.refuse("whenFull=grow", "numHashFunctions", choice.numHashFunctions, sized);
    require("expectedInsertions", choice.expectedInsertions);
    require("growsTo", growsTo.orElse(null));
    return SizingResult.grown(
        choice.scheme(),
        choice.expectedInsertions,
        choice.probability(),
        choice.growthFactor == null ? Growth.DEFAULT_FACTOR : choice.growthFactor,
        growsTo.get());
  }

  private static void require(String name, Object value) {
    if (value == null) {
      throw RequestErrors.invalid(
          "%s is missing: a filter that grows is sized by its first capacity, expectedInsertions, and its last, growsTo. Send it."
              .formatted(name));
    }
  }
}
