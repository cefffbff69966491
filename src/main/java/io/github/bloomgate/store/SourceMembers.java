package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads members of Redis keys written by other clients, in pages small enough not to block Redis.
 *
 * <p>As the SCAN commands guarantee, every member that is in a set or sorted set during the whole
 * read is returned, some perhaps twice. All methods fail with {@link BloomException}:
 * STORE_UNAVAILABLE, SOURCE_UNREADABLE.
 */
@ApplicationScoped
public class SourceMembers {

  private static final int PAGE = 1000;

  private final RedisLink redis;

  SourceMembers(RedisLink redis) {
    this.redis = redis;
  }

  /**
   * Checks that a key may be a source.
   *
   * @throws BloomException INVALID_REQUEST if it belongs to the service
   */
  public static void requireForeign(Origin.RedisKey source) {
    if (source.key().isEmpty() || source.key().startsWith(SlotKeys.PREFIX)) {
      throw RequestErrors.invalid(
          "redisKey must not be empty or begin with '%s': those keys are the service's own. Name another key."
              .formatted(SlotKeys.PREFIX));
    }
  }

  public enum Kind {
    SET,
    ZSET,
    LIST
  }

  /**
   * Some members and the position of the next page.
   *
   * @param next empty after the last page
   */
  public record Page(List<byte[]> members, Optional<Position> next) {}

  /**
   * A position in a key.
   *
   * @param cursor from SCAN, or the index of the next element of a list
   * @param last the element before it, in a list
   */
  public record Position(String cursor, Optional<byte[]> last) {

    public static final Position BEGIN = new Position("0", Optional.empty());
  }

  /** The type of a key; fails if it is missing or of another type. */
  public Kind kind(Origin.RedisKey source) {
    return switch (read(Request.cmd(Command.TYPE).arg(source.key())).toString()) {
      case "set" -> Kind.SET;
      case "zset" -> Kind.ZSET;
      case "list" -> Kind.LIST;
      case "none" ->
          throw RebuildErrors.sourceUnreadable(
              "The source is missing: there is no such key in Redis. Redis keeps no empty sets or lists.");
      default ->
          throw RebuildErrors.sourceUnreadable(
              "The Redis key of the source is not a set, sorted set or list. Name one that is.");
    };
  }

  /** The members from a position. */
  public Page page(Origin.RedisKey source, Kind kind, Position position) {
    return switch (kind) {
      case SET -> scan(Command.SSCAN, 1, source, position);
      case ZSET -> scan(Command.ZSCAN, 2, source, position);
      case LIST -> range(source, position);
    };
  }

  /**
   * @param step the values for each member in the reply
   */
  private Page scan(Command command, int step, Origin.RedisKey source, Position position) {
    var reply =
        read(Request.cmd(command).arg(source.key()).arg(position.cursor()).arg("COUNT").arg(PAGE));
    var cursor = reply.get(0).toString();
    var values = reply.get(1);
    var members =
        IntStream.iterate(0, i -> i < values.size(), i -> i + step)
            .mapToObj(i -> values.get(i).toBytes())
            .toList();
    return new Page(
        members,
        cursor.equals("0")
            ? Optional.empty()
            : Optional.of(new Position(cursor, Optional.empty())));
  }

  /** Starts with the element before, to detect a list that was shifted since. */
  private Page range(Origin.RedisKey source, Position position) {
    var from = Long.parseLong(position.cursor());
    var overlap = position.last().isPresent() ? 1 : 0;
    var reply =
        read(
            Request.cmd(Command.LRANGE).arg(source.key()).arg(from - overlap).arg(from + PAGE - 1));
    var elements = new ArrayList<byte[]>();
    reply.forEach(element -> elements.add(element.toBytes()));
    position.last().ifPresent(last -> requireInPlace(last, elements));
    if (elements.size() < PAGE) {
      return new Page(elements, Optional.empty());
    }
    var next =
        new Position(
            Long.toString(from + elements.size()), Optional.of(elements.get(elements.size() - 1)));
    return new Page(elements, Optional.of(next));
  }

  private static void requireInPlace(byte[] last, List<byte[]> elements) {
    if (elements.isEmpty() || !Arrays.equals(last, elements.remove(0))) {
      throw RebuildErrors.sourceUnreadable(
          "The list was shifted while it was read, so elements may have been missed. Keep elements in"
              + " a set, or add only at the end of the list.");
    }
  }

  private Response read(Request request) {
    try {
      return await(redis.send(request, Effect.READ));
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.INTERNAL) {
        throw RebuildErrors.sourceUnreadable(
            "The source can no longer be read: its Redis key now holds another type, or the service has no permission.");
      }
      throw failure;
    }
  }
}
