package io.github.bloomgate.http;

import io.github.bloomgate.filters.SizingQuestion;
import io.github.bloomgate.http.answer.SizingView;
import io.github.bloomgate.http.request.CountingQuestion;
import io.github.bloomgate.http.request.GrowthQuestion;
import io.github.bloomgate.http.request.ParameterChoice;
import io.github.bloomgate.http.request.QueryFlag;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.request.QueryNumber;
import io.github.bloomgate.http.request.WindowQuestion;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Window;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestQuery;

/** How large a filter must be; asks no filter and no Redis. */
@Path("/v1/sizing")
@Produces(MediaType.APPLICATION_JSON)
public class SizingResource {

  @GET
  @RolesAllowed(Role.READS)
  @NonBlocking
  @QueryNames({
    "expectedInsertions",
    "falsePositiveProbability",
    "bitSize",
    "numHashFunctions",
    "hashScheme",
    "whenFull",
    "growthFactor",
    "growsTo",
    "windowSeconds",
    "windowInsertions",
    "slices",
    "counting"
  })
  public SizingView size(
      @RestQuery String expectedInsertions,
      @RestQuery String falsePositiveProbability,
      @RestQuery String bitSize,
      @RestQuery String numHashFunctions,
      @RestQuery String hashScheme,
      @RestQuery String whenFull,
      @RestQuery String growthFactor,
      @RestQuery String growsTo,
      @RestQuery String windowSeconds,
      @RestQuery String windowInsertions,
      @RestQuery String slices,
      @RestQuery String counting) {
    var scheme = new ParameterChoice(null, null, null, null, hashScheme, null, null).scheme();
    var question =
        new SizingQuestion(
            QueryNumber.integer(
                "expectedInsertions",
                expectedInsertions,
                1,
                FilterParameters.MAX_EXPECTED_INSERTIONS),
            QueryNumber.probability("falsePositiveProbability", falsePositiveProbability),
            QueryNumber.integer("bitSize", bitSize, 1, FilterParameters.MAX_BIT_SIZE),
            QueryNumber.integer(
                    "numHashFunctions", numHashFunctions, 1, FilterParameters.MAX_HASH_FUNCTIONS)
                .map(Long::intValue));
    var growth =
        new GrowthQuestion(
            whenFull,
            QueryNumber.integer("growthFactor", growthFactor, 1, Growth.MAX_FACTOR)
                .map(Long::intValue),
            QueryNumber.integer("growsTo", growsTo, 1, FilterParameters.MAX_EXPECTED_INSERTIONS));
    var window =
        new WindowQuestion(
            QueryNumber.integer("windowSeconds", windowSeconds, 1, Window.MAX_SECONDS),
            QueryNumber.integer(
                "windowInsertions", windowInsertions, 1, FilterParameters.MAX_EXPECTED_INSERTIONS),
            QueryNumber.integer("slices", slices, Window.MIN_SLICES, Window.MAX_SLICES)
                .map(Long::intValue));
    var counters = new CountingQuestion(QueryFlag.read("counting", counting));
    if (counters.isAsked()) {
      return SizingView.of(counters.solve(scheme, question, growth, window));
    }
    if (window.isAsked()) {
      return SizingView.of(window.solve(scheme, question, growth));
    }
    return growth.isAsked()
        ? SizingView.of(growth.solve(scheme, question))
        : SizingView.of(question.solve(scheme));
  }
}
