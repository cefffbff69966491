package io.github.bloomgate.api;

import io.github.bloomgate.filter.FilterParameters;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.service.SizingQuestion;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;

/** How large a filter must be; asks no filter and no Redis. */
@Path("/v1/sizing")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = ApiDefinition.SIZING)
class SizingResource {

  @GET
  @NonBlocking
  @Operation(
      operationId = "size",
      summary = "Size a filter",
      description = "Computes those of n, p, m and k that are not given from those that are.")
  @APIResponse(responseCode = "200", description = "Parameters that fit together")
  @APIResponse(responseCode = "400", ref = ApiDefinition.INVALID_REQUEST)
  @APIResponse(responseCode = "422", ref = ApiDefinition.LIMIT_EXCEEDED)
  SizingView size(
      @Parameter(description = "n: how many elements it shall hold", example = "1000000")
          @RestQuery
          @Min(1)
          @Max(FilterParameters.MAX_EXPECTED_INSERTIONS)
          Long expectedInsertions,
      @Parameter(description = "p: the false-positive rate with n elements", example = "0.01")
          @RestQuery
          @DecimalMin("1e-12")
          @DecimalMax("0.5")
          Double falsePositiveProbability,
      @Parameter(description = "m: bits of the filter")
          @RestQuery
          @Min(1)
          @Max(FilterParameters.MAX_BIT_SIZE)
          Long bitSize,
      @Parameter(description = "k: bits an element sets")
          @RestQuery
          @Min(1)
          @Max(FilterParameters.MAX_HASH_FUNCTIONS)
          Integer numHashFunctions) {
    var question =
        new SizingQuestion(
            expectedInsertions == null ? OptionalLong.empty() : OptionalLong.of(expectedInsertions),
            falsePositiveProbability == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(falsePositiveProbability),
            bitSize == null ? OptionalLong.empty() : OptionalLong.of(bitSize),
            numHashFunctions == null ? OptionalInt.empty() : OptionalInt.of(numHashFunctions));
    return SizingView.of(question.solve(HashSchemes.nativeScheme()));
  }
}
