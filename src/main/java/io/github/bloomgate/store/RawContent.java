package io.github.bloomgate.store;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Content of one bitmap without header and journal, as in libraries: an adopted bitmap, its
 * replacement, or a library's bitmap that is longer than a segment. The bitmap grows as bits are
 * set.
 *
 * @param adopted the library's keys; empty if the bitmap is under the key of segment 0
 */
public record RawContent(
    StoredGeneration generation, FilterShape shape, Optional<AdoptedBitmap> adopted) {

  String bitmapKey() {
    return adopted.map(its -> its.key().redisKey()).orElseGet(() -> generation.segmentKey(0));
  }

  /** The keys of state, bitmap and companion, with more keys before the companion. */
  List<String> keys(List<String> more) {
    var keys = new ArrayList<>(List.of(generation.stateKey(), bitmapKey()));
    keys.addAll(more);
    adopted.flatMap(its -> its.key().companionKey()).ifPresent(keys::add);
    return keys;
  }

  /** The error if the bitmap is missing or malformed. */
  BloomException damaged() {
    return FilterErrors.damaged(generation.name(), bitmapKey());
  }

  void put(Request request) {
    request
        .arg(generation.version())
        .arg(shape.segmentBits())
        .arg(shape.numHashFunctions())
        .arg(FilterStore.flag(adopted.isPresent()));
  }
}
