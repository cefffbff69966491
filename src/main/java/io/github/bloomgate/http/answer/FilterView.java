package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A filter, described. */
@Schema(
    name = "Filter",
    description = "What a filter was created with, what it holds, and what that amounts to",
    requiredProperties = {
      "name",
      "state",
      "hashScheme",
      "elementCodec",
      "hashSecretId",
      "schemeWarning",
      "expectedInsertions",
      "falsePositiveProbability",
      "bitSize",
      "numHashFunctions",
      "segments",
      "sizeBytes",
      "whenFull",
      "insertions",
      "bitsSet",
      "fillRatio",
      "approximateElementCount",
      "estimatedFalsePositiveProbability",
      "generation",
      "createdAt",
      "expiresAt",
      "redisKey",
      "adopted"
    })
public record FilterView(
    @Schema(description = "Its name", examples = "users") String name,
    @Schema(description = "`ready`; a filter that is not is answered as an error")
        FilterState state,
    @Schema(ref = ApiDefinition.HASH_SCHEME) String hashScheme,
    @Schema(
            description = "How the scheme turns a string into bytes; null if it knows one way only",
            nullable = true)
        String elementCodec,
    @Schema(
            description =
                "With a keyed scheme: which secret of the service its key comes from; null otherwise",
            nullable = true)
        String hashSecretId,
    @Schema(
            description =
                "That the scheme does not keep the promised rate, and by how much it misses it; null"
                    + " if it does",
            nullable = true)
        String schemeWarning,
    @Schema(description = "n: how many elements it was sized for; its first layer, if it grows")
        long expectedInsertions,
    @Schema(
            description =
                "p: promised as long as it holds no more than n; for ever, if it grows or rejects; with"
                    + " a window as long as no more than n come within any window")
        double falsePositiveProbability,
    @Schema(description = "m: bits of all segments, of all layers") long bitSize,
    @Schema(
            description =
                "k: bits an element sets, or counters it raises; of the first layer, if it grows")
        int numHashFunctions,
    @Schema(description = "How many bitmaps it consists of") int segments,
    @Schema(description = "Bytes the bitmaps take in Redis") long sizeBytes,
    @Schema(description = "What happens to new elements beyond n") WhenFull whenFull,
    @Schema(
            description =
                "If it grows: how many times as many elements each layer is made for as the one"
                    + " before; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Integer growthFactor,
    @Schema(description = "If it grows: what its bitmaps may take together; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Long maxSizeBytes,
    @Schema(description = "If it grows: its layers, the oldest first; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        List<LayerView> layers,
    @Schema(description = "If it has a window: for how long it remembers elements; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        WindowView window,
    @Schema(description = "If it has a window: into how many slices it is cut; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Integer slices,
    @Schema(
            description =
                "If it has a window: whether an element that is added again is remembered for a"
                    + " whole window again; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Boolean refresh,
    @Schema(
            description =
                "If it has a window: what it remembers, in slices, the newest first; else missing. A"
                    + " slice ends early when it has its part of n. `bitsSet`, `fillRatio`, `approximateElementCount` and"
                    + " `estimatedFalsePositiveProbability` of the filter are of these. An element"
                    + " that was refreshed counts in each slice that it was added in")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        List<SliceView> liveSlices,
    @Schema(
            description =
                "If it has a window and more elements came than it is made for: that its"
                    + " false-positive rate may be above `falsePositiveProbability`; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        String windowWarning,
    @Schema(
            description =
                "`true` if it counts its elements, so that they can be removed; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Boolean counting,
    @Schema(
            description =
                "If it counts: how many counters it has, of 4 bits each; else missing. `bitsSet` are"
                    + " those that are not 0, and `fillRatio`, `approximateElementCount` and"
                    + " `estimatedFalsePositiveProbability` follow from them")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Long counters,
    @Schema(
            description =
                "If it counts: how many counters have come to 15 and stay there; else missing. An"
                    + " element that has no others stays for good")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Long saturatedCounters,
    @Schema(
            description =
                "Adds that changed a bit, exact; with a window all that were new, also those that"
                    + " are forgotten; with counters all adds that changed one, less removals that"
                    + " did. After a merge: an estimate from the bits, between"
                    + " the most that one of the filters had and the sum of all. After an import of"
                    + " another library's file that does not tell them: an estimate from the bits.")
        long insertions,
    @Schema(description = "Bits that are 1, or counters that are not 0, exact") long bitsSet,
    @Schema(description = "Share of bits that are 1; at n elements about a half") double fillRatio,
    @Schema(
            description =
                "Estimate of how many distinct elements were added, from the bits alone; null when"
                    + " a segment is saturated",
            nullable = true)
        Long approximateElementCount,
    @Schema(description = "How likely an element never added is answered maybe now")
        double estimatedFalsePositiveProbability,
    @Schema(description = "Raised by one whenever the content is replaced") long generation,
    @Schema(description = "When it was created") Instant createdAt,
    @Schema(description = "When it vanishes; null for never", nullable = true) Instant expiresAt,
    @Schema(description = "The Redis key of its bitmap; of the first one if it has several")
        String redisKey,
    @Schema(
            description =
                "Whether that key is another library's, where others may set bits too; then"
                    + " `insertions` are those made here, except with `rueidisprob`, whose counter has"
                    + " all")
        boolean adopted,
    @Schema(description = "The rebuild that is open; null if there is none", nullable = true)
        RebuildView rebuild,
    @Schema(description = "What it is rebuilt from; null if nothing", nullable = true)
        SourceView source,
    @Schema(description = "What of a request was not done, and which one does it; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        String note) {

  public static FilterView of(Description description) {
    return of(description, null);
  }

  /**
   * Likewise.
   *
   * @param note what of the request was not done; null if all was
   */
  public static FilterView of(Description description, String note) {
    var filter = description.filter();
    var parameters = filter.parameters();
    var statistics = description.statistics();
    var window = parameters.window();
    return new FilterView(
        filter.name().value(),
        FilterState.READY,
        parameters.hashScheme().id(),
        parameters.hashScheme().elementCodec().orElse(null),
        parameters.hashScheme().keyOrigin().map(KeyOrigin::secretId).orElse(null),
        parameters.schemeWarning().orElse(null),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        filter.bitSize(),
        filter.shape().numHashFunctions(),
        filter.segments(),
        filter.sizeBytes(),
        parameters.whenFull(),
        parameters.growth().map(Growth::factor).orElse(null),
        parameters.growth().map(Growth::maxSizeBytes).orElse(null),
        filter.grows() ? LayerView.of(filter, description.layers()) : null,
        window.map(some -> WindowView.of(some, filter.segments())).orElse(null),
        window.map(Window::slices).orElse(null),
        window.map(Window::refresh).orElse(null),
        window.isPresent() ? description.slices().stream().map(SliceView::of).toList() : null,
        statistics.isOverfull() ? overfull(parameters) : null,
        parameters.counting() ? true : null,
        parameters.counting() ? parameters.places(filter.shape()).bitSize() : null,
        parameters.counting() ? (Long) statistics.saturatedCounters() : null,
        statistics.insertions(),
        statistics.bitsSet(),
        statistics.fillRatio(),
        statistics.approximateElementCount().isPresent()
            ? statistics.approximateElementCount().getAsLong()
            : null,
        statistics.estimatedFalsePositiveProbability(),
        filter.generation().number(),
        filter.createdAt(),
        filter.expiresAt().orElse(null),
        description.redisKey(),
        filter.isAdopted(),
        description.rebuild().map(RebuildView::of).orElse(null),
        description.source().map(SourceView::of).orElse(null),
        note);
  }

  private static String overfull(FilterParameters parameters) {
    return "More than %d elements came within a window, so the false-positive rate may be above %s. Rebuild the filter with more expectedInsertions."
        .formatted(parameters.expectedInsertions(), parameters.falsePositiveProbability());
  }
}
