package io.github.bloomgate.store;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.store.FilterStore.Asked;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The content of a generation in Redis: in segments, or raw. Only those who read or write its bits
 * need to know which.
 */
public sealed interface StoredContent {

  /** The key of its first bitmap. */
  String redisKey();

  /** The headers that count its bits, one for each written segment. */
  Stream<Asked> headers();

  /** Itself if no header counts its bits, so that Redis has to. */
  Optional<Raw> uncounted();

  /**
   * Content in segments, each with a header and a journal.
   *
   * @param written the segments that exist
   */
  record Segmented(StoredGeneration generation, FilterPlan plan, Written written)
      implements StoredContent {

    @Override
    public String redisKey() {
      return generation.segmentKey(0);
    }

    @Override
    public Stream<Asked> headers() {
      return Arrays.stream(written.indexes())
          .mapToObj(segment -> new Asked(generation, segment, plan.layerOf(segment).format()));
    }

    @Override
    public Optional<Raw> uncounted() {
      return Optional.empty();
    }
  }

  /**
   * Content of one bitmap without header and journal, as in libraries: an adopted bitmap, its
   * replacement, or a library's bitmap that is longer than a segment. The bitmap grows as bits are
   * set.
   *
   * @param adopted the library's keys; empty if the bitmap is under the key of segment 0
   */
  record Raw(StoredGeneration generation, FilterShape shape, Optional<AdoptedBitmap> adopted)
      implements StoredContent {

    @Override
    public String redisKey() {
      return adopted.map(its -> its.key().redisKey()).orElseGet(() -> generation.segmentKey(0));
    }

    @Override
    public Stream<Asked> headers() {
      return Stream.of();
    }

    @Override
    public Optional<Raw> uncounted() {
      return Optional.of(this);
    }

    /** Whether its number of insertions includes the library's. */
    public boolean countsAllInsertions() {
      return adopted.map(AdoptedBitmap::countsInsertions).orElse(true);
    }

    /** The keys of state, bitmap and companion, with more keys before the companion. */
    List<String> keys(List<String> more) {
      var keys = new ArrayList<>(List.of(generation.stateKey(), redisKey()));
      keys.addAll(more);
      adopted.flatMap(its -> its.key().companionKey()).ifPresent(keys::add);
      return keys;
    }

    /** The error if the bitmap is missing or malformed. */
    BloomException damaged() {
      return FilterErrors.damaged(generation.name(), redisKey());
    }

    /** The first arguments of its script. */
    Arguments arguments() {
      return new Arguments()
          .add(generation.version())
          .add(shape.segmentBits())
          .add(shape.numHashFunctions())
          .add(adopted.isPresent());
    }
  }
}
