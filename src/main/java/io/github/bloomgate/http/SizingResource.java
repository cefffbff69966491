package io.github.bloomgate.http;

import io.github.bloomgate.filters.SizingQuestion;
import io.github.bloomgate.http.answer.SizingView;
import io.github.bloomgate.http.openapi.ApiDefinition;
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
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** How large a filter must be; asks no filter and no Redis. */
@Path("/v1/sizing")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.SIZING)
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
  @Operation(
      operationId = "size",
      summary = "Size a filter",
      description =
          "Computes those of n, p, m and k that are not given from those that are; of n alone with"
              + " the p that a filter gets. With"
              + " `whenFull=grow` it tells what"
              + " the filter takes when it has grown to `growsTo` elements. With `windowSeconds` or"
              + " `windowInsertions` it tells what a filter takes that remembers elements for so"
              + " long, and with `counting=true` one whose elements can be removed.")
  @APIResponse(responseCode = "200", description = "Parameters that fit together")
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  public SizingView size(
      @Parameter(
              description = "n: how many elements it shall hold",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100000000000"),
              example = "1000000")
          @RestQuery
          String expectedInsertions,
      @Parameter(
              description =
                  "p: the false-positive rate with n elements; 0.01 if n is given and neither m nor k",
              schema =
                  @Schema(
                      type = SchemaType.NUMBER,
                      minimum = "1e-12",
                      exclusiveMaximum = true,
                      maximum = "1"),
              example = "0.01")
          @RestQuery
          String falsePositiveProbability,
      @Parameter(
              description = "m: bits of the filter",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "68719476736"))
          @RestQuery
          String bitSize,
      @Parameter(
              description = "k: bits an element sets",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "255"))
          @RestQuery
          String numHashFunctions,
      @Parameter(
              description =
                  "The scheme by whose rules it is sized. `go-zero` and `scrapy-redis-bloomfilter`"
                      + " have none for n and p alone.",
              schema = @Schema(ref = ApiDefinition.HASH_SCHEME, defaultValue = "bloomgate-1"))
          @RestQuery
          String hashScheme,
      @Parameter(
              description = "`grow` to size a filter that grows; the others are sized alike",
              schema = @Schema(implementation = WhenFull.class, defaultValue = "accept"))
          @RestQuery
          String whenFull,
      @Parameter(
              description =
                  "With `grow`: how many times as many elements each further layer is made for; 2 when"
                      + " not given",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "10"))
          @RestQuery
          String growthFactor,
      @Parameter(
              description =
                  "With `grow`, and required there: how many elements it shall hold at last",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100000000000"))
          @RestQuery
          String growsTo,
      @Parameter(
              description =
                  "To size a filter with a window by time: for how many seconds an element is"
                      + " remembered at least. `expectedInsertions` are those within a window",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "315360000"))
          @RestQuery
          String windowSeconds,
      @Parameter(
              description =
                  "To size a filter with a window by insertions: during how many later ones an element"
                      + " is remembered at least; `expectedInsertions` is left out then",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100000000000"))
          @RestQuery
          String windowInsertions,
      @Parameter(
              description = "With a window: into how many slices it is cut; 8 when not given",
              schema = @Schema(type = SchemaType.INTEGER, minimum = "2", maximum = "64"))
          @RestQuery
          String slices,
      @Parameter(
              description = "`true` to size a filter whose elements can be removed",
              schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
          @RestQuery
          String counting) {
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
