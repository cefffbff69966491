package io.github.bloomgate.store;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.ScriptReply;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The bitmap under a library's key, and the companion that the library has beside it.
 *
 * @param parameters those of the filter that has adopted it
 */
public record AdoptedBitmap(AdoptedKey key, FilterParameters parameters) {

  /** The bitmap that a filter has adopted; empty if its bits are under keys of the service. */
  public static Optional<AdoptedBitmap> of(Filter filter) {
    return filter
        .adoptedKey()
        .filter(key -> filter.isAdopted())
        .map(key -> new AdoptedBitmap(key, filter.parameters()));
  }

  List<String> keys() {
    return Stream.concat(Stream.of(key.redisKey()), key.companionKey().stream()).toList();
  }

  static List<String> keys(Optional<AdoptedBitmap> adopted) {
    return adopted.map(AdoptedBitmap::keys).orElse(List.of());
  }

  /** The number of keys and the shape, as scripts take them; zero keys for no bitmap. */
  static void put(Request request, Optional<AdoptedBitmap> adopted) {
    request.arg(keys(adopted).size());
    request.arg(adopted.map(its -> its.parameters.shape().segmentBits()).orElse(0L));
    request.arg(adopted.map(its -> its.parameters.shape().numHashFunctions()).orElse(0));
  }

  /**
   * A reply, if no library's key refuses the call.
   *
   * @throws BloomException FILTER_DAMAGED, WRONG_KEY_TYPE, KEY_MISMATCH; nothing was changed
   */
  static ScriptReply requireKeys(ScriptReply reply, FilterName name) {
    if (!reply.status().equals("KEY")) {
      return reply;
    }
    var key = reply.text(1);
    throw switch (reply.text(2)) {
      case "type" -> FilterErrors.wrongKeyType(name, key);
      case "missing" -> FilterErrors.adoptedKeyMissing(name, key);
      case "bits" ->
          FilterErrors.keyMismatch(name, key, "holds a string longer than the filter's bits");
      case "config" ->
          FilterErrors.keyMismatch(name, key, "has another size or hashIterations than the filter");
      case "counter" -> FilterErrors.keyMismatch(name, key, "is no plain number of elements");
      case "noConfig" -> FilterErrors.keyMismatch(name, key, "is missing beside the bitmap");
      case "noBits" ->
          FilterErrors.keyMismatch(name, key, "counts elements, but their bitmap is missing");
      case "sliding" ->
          FilterErrors.keyMismatch(
              name,
              key,
              "belongs to a sliding filter, and its library puts another bitmap in its place as time passes");
      default -> reply.unexpectedStatus();
    };
  }
}
