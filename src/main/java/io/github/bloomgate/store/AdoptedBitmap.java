package io.github.bloomgate.store;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.ScriptReply;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The bitmap under a library's key, and the library's companion key.
 *
 * @param parameters of the filter that has adopted it
 */
public record AdoptedBitmap(AdoptedKey key, FilterParameters parameters) {

  /** Whether the library keeps a number of insertions beside the bitmap. */
  boolean countsInsertions() {
    return parameters.hashScheme().counterKey(key.redisKey()).isPresent();
  }

  List<String> keys() {
    return Stream.concat(Stream.of(key.redisKey()), key.companionKey().stream()).toList();
  }

  static List<String> keys(Optional<AdoptedBitmap> adopted) {
    return adopted.map(AdoptedBitmap::keys).orElse(List.of());
  }

  /** Adds the arguments for the number of keys and the shape; zero keys without a bitmap. */
  static void put(Arguments arguments, Optional<AdoptedBitmap> adopted) {
    arguments.add(keys(adopted).size());
    arguments.add(adopted.map(its -> its.parameters.shape().segmentBits()).orElse(0L));
    arguments.add(adopted.map(its -> its.parameters.shape().numHashFunctions()).orElse(0));
  }

  /**
   * Returns the reply unless it refuses a library's key.
   *
   * @throws BloomException FILTER_DAMAGED, WRONG_KEY_TYPE, KEY_MISMATCH; nothing was changed
   */
  static ScriptReply requireKeys(ScriptReply reply, FilterName name) {
    if (reply.status().equals("KEY")) {
      throw refusal(reply, name);
    }
    return reply;
  }

  /** The error of a reply that refuses a key: a library's, of a segment, or of the state. */
  static BloomException refusal(ScriptReply reply, FilterName name) {
    var key = reply.text(1);
    return switch (reply.text(2)) {
      case "type" -> FilterErrors.wrongKeyType(name, key);
      case "field" -> FilterErrors.damaged(name, key);
      case "missing" ->
          BloomException.of(
              ErrorCode.FILTER_DAMAGED,
              "The Redis key %s, which the filter '%s' shares with other clients, is missing or incomplete, so its elements are no longer known. If a client of its library deleted the key, delete the filter with DELETE /v1/filters/%s and adopt the key again. Otherwise rebuild the filter from your data with POST /v1/filters/%s/rebuild, and check whether Redis evicts keys (maxmemory-policy)."
                  .formatted(key, name, name, name));
      case "bits" ->
          FilterErrors.keyMismatch(name, key, "holds a string longer than the filter's bits");
      case "config" ->
          FilterErrors.keyMismatch(
              name, key, "has a different size or hashIterations from the filter");
      case "counter" -> FilterErrors.keyMismatch(name, key, "is not a plain number of elements");
      case "noConfig" ->
          FilterErrors.keyMismatch(name, key, "is missing, although the bitmap exists");
      case "noBits" ->
          FilterErrors.keyMismatch(name, key, "counts elements, but their bitmap is missing");
      case "sliding" ->
          FilterErrors.keyMismatch(
              name,
              key,
              "belongs to a sliding filter, whose bitmap its library replaces as time passes");
      default -> reply.unexpectedStatus();
    };
  }
}
