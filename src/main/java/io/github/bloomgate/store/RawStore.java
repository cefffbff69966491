package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.store.StoredContent.Raw;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@link Raw} content, and the adoption of libraries' bitmaps. Fails as {@link ScriptRunner}; with
 * FILTER_DAMAGED, WRONG_KEY_TYPE or KEY_MISMATCH if a library's key or the bitmap is invalid; and
 * with FILTER_CHANGED or REBUILD_NOT_FOUND if the generation has another version or does not exist.
 * Thread-safe.
 */
@Singleton
public class RawStore {

  /** The most bytes of a call of {@link #read} and {@link #fill}. */
  public static final int MAX_BYTES = 1 << 20;

  private static final int COUNTED_BYTES = 16 << 20;

  private final ScriptRunner scripts;
  private final RedisLink link;

  RawStore(ScriptRunner scripts, RedisLink link) {
    this.scripts = scripts;
    this.link = link;
  }

  /**
   * Creates a filter over a library's bitmap, or over a new one that the library can open. Blocks.
   *
   * @param state without an expiry, the filter gets the one of the library's keys
   * @param mayCreate whether to create a bitmap where the library has none
   * @throws BloomException LIMIT_EXCEEDED if there is no bitmap and it may not be created;
   *     INVALID_REQUEST if it is in another slot of a Redis Cluster than the name
   */
  public ChangeReply adopt(
      FilterName name, FilterState state, AdoptedBitmap bitmap, boolean mayCreate) {
    var redisKey = bitmap.key().redisKey();
    var keys = new ArrayList<>(List.of(Keys.state(name)));
    keys.addAll(bitmap.keys());
    bitmap.parameters().hashScheme().slidingKey(redisKey).ifPresent(keys::add);
    var parameters = bitmap.parameters();
    var arguments =
        new Arguments()
            .add(parameters.shape().segmentBits())
            .add(parameters.shape().numHashFunctions())
            .add(state.expiresAt())
            .add(parameters.expectedInsertions())
            .add(Double.toString(parameters.falsePositiveProbability()))
            .add(mayCreate);
    state.putNew(arguments);
    ScriptReply reply;
    try {
      reply = await(scripts.send(new ScriptCall(Script.ADOPT, Effect.WRITE, keys, arguments)));
    } catch (SeveralSlotsException several) {
      throw RequestErrors.invalid(
          "Redis is a cluster, and the Redis key %s is in another slot than the keys of a filter '%s', so no script can access both. Nothing was changed. Adopt it under a name in the same slot, such as '%s'."
              .formatted(redisKey, name, SlotNames.fitting(name, redisKey)));
    }
    if (reply.status().equals("ABSENT")) {
      throw RequestErrors.limitExceeded(
          "There is no Redis key '%s'. With a quota of bytes, only an existing key can be adopted, because a new bitmap would stay in Redis, uncounted, after the filter is deleted. Nothing was changed. Let the library create the key first, or leave redisKey out."
              .formatted(redisKey));
    }
    return ChangeReply.of(AdoptedBitmap.requireKeys(reply, name));
  }

  /**
   * Reads fields of the companion hash of a library's bitmap. Only these: any hash may be under the
   * key, and reading a large one would hold Redis up. Blocks.
   *
   * @return empty if there is no hash
   */
  public Optional<Map<String, String>> companion(FilterName name, String key, List<String> fields) {
    var read = Request.cmd(Command.HMGET).arg(key);
    fields.forEach(read::arg);
    return await(SourceStore.hash(link, name, key, read)).map(reply -> texts(fields, reply));
  }

  private static Map<String, String> texts(List<String> fields, Response values) {
    var texts = new HashMap<String, String>();
    for (var i = 0; i < fields.size(); i++) {
      if (values.get(i) != null) {
        texts.put(fields.get(i), values.get(i).toString(StandardCharsets.UTF_8));
      }
    }
    return texts;
  }

  /** Repeats the call while the bitmap is too short, which grows by a step each time. */
  private static Uni<ScriptReply> untilGrown(Uni<ScriptReply> call) {
    return call.chain(
        reply -> reply.status().equals("GROWN") ? untilGrown(call) : Uni.createFrom().item(reply));
  }

  /** Counts the bits set, 16 MiB per call. */
  public Uni<SegmentCounts> counts(Raw raw) {
    return counts(raw, 0, 0);
  }

  private Uni<SegmentCounts> counts(Raw raw, long from, long before) {
    var end = from + COUNTED_BYTES;
    return bytes(raw, "COUNT", from, end - 1)
        .map(reply -> new SegmentCounts(before + reply.number(1), reply.number(2)))
        .chain(
            counts ->
                end < raw.shape().segmentBytes()
                    ? counts(raw, end, counts.placesSet())
                    : Uni.createFrom().item(counts));
  }

  /**
   * Reads bytes of a bitmap.
   *
   * @param count at most {@link #MAX_BYTES}, and not beyond the end
   */
  public Uni<byte[]> read(Raw raw, long from, int count) {
    return bytes(raw, "READ", from, from + count - 1)
        .map(reply -> Arrays.copyOf(reply.bytes(1), count));
  }

  private Uni<ScriptReply> bytes(Raw raw, String what, long first, long last) {
    var arguments = raw.arguments().add(what).add(first).add(last);
    return scripts
        .send(new ScriptCall(Script.RAW, Effect.READ, raw.keys(List.of()), arguments))
        .map(reply -> requireOk(raw, reply));
  }

  /**
   * ORs bytes into the bitmap.
   *
   * @param bytes from 1 to {@link #MAX_BYTES}, not beyond the end of the bitmap
   * @param insertions the number to add to the insertions
   */
  public Uni<Void> fill(Raw raw, long from, byte[] bytes, long insertions) {
    if (from + bytes.length > raw.shape().segmentBytes()) {
      throw new IllegalArgumentException(bytes.length + " bytes end after the bitmap");
    }
    var content = raw.generation().content();
    var foldKeys = List.of(Keys.fold(content, 0), Keys.fold(content, 0));
    var arguments =
        raw.arguments()
            .add("FILL")
            .add(from)
            .add(from + bytes.length - 1)
            .add(bytes)
            .add(insertions);
    var call = new ScriptCall(Script.RAW, Effect.WRITE, raw.keys(foldKeys), arguments);
    return untilGrown(scripts.send(call)).invoke(reply -> requireOk(raw, reply)).replaceWithVoid();
  }

  private static ScriptReply requireOk(Raw raw, ScriptReply reply) {
    var name = raw.generation().name();
    var isNext = raw.generation().isNext();
    return switch (AdoptedBitmap.requireKeys(reply, name).status()) {
      case "OK" -> reply;
      case "CHANGED" -> throw isNext ? RebuildErrors.notFound(name) : FilterErrors.changed(name);
      case "DAMAGED" -> throw raw.damaged();
      default -> throw reply.unexpectedStatus();
    };
  }
}
