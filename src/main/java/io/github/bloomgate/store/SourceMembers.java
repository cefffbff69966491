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
 * The members of Redis keys that others write, read in pages so small that Redis is not held up.
 *
 * <p>Of a set or sorted set every member is read that is in it from the first page to the last,
 * some perhaps twice, as the SCAN commands promise. All methods fail with {@link BloomException}:
 * STORE_UNAVAILABLE, SOURCE_UNREADABLE.
 */
@ApplicationScoped
public class SourceMembers {

  private static final int PAGE = 1000;
  private static final String PREFIX = "bloom:";

  private final RedisLink redis;

  SourceMembers(RedisLink redis) {
    this.redis = redis;
  }

  /**
   * Checks that a key may be a source.
   *
   * @throws BloomException INVALID_REQUEST if it is one of the service's own
   */
  public static void requireForeign(Origin.RedisKey source) {
    if (source.key().isEmpty() || source.key().startsWith(PREFIX)) {
      throw RequestErrors.invalid(
          "redisKey must not be empty or begin with '%s': those keys are the service's own. Name another key."
              .formatted(PREFIX));
    }
  }

  /** What keys may be read. */
  public enum Kind {
    SET,
    ZSET,
    LIST
  }

  /**
   * Some members and where to go on.
   *
   * @param next empty after the last
   */
  public record Page(List<byte[]> members, Optional<Position> next) {}

  /**
   * A place in a key.
   *
   * @param cursor what SCAN answered, or the index of the next element of a list
   * @param last the element before it, of a list
   */
  public record Position(String cursor, Optional<byte[]> last) {

    /** The begin of a key. */
    public static final Position BEGIN = new Position("0", Optional.empty());
  }

  /** What a key holds; fails if it is missing or of a type that is not read. */
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
              "The Redis key of the source is no set, sorted set or list. Name one that is.");
    };
  }

  /** The members from a position on. */
  public Page page(Origin.RedisKey source, Kind kind, Position position) {
    return switch (kind) {
      case SET -> scan(Command.SSCAN, 1, source, position);
      case ZSET -> scan(Command.ZSCAN, 2, source, position);
      case LIST -> range(source, position);
    };
  }

  /**
   * @param step how many values the reply has for each member
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

  /** Begins with the element before, so that a list that was shifted meanwhile is noticed. */
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
              + " a set, or add to the list at its end only.");
    }
  }

  private Response read(Request request) {
    try {
      return await(redis.send(request, Effect.READ));
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.INTERNAL) {
        throw RebuildErrors.sourceUnreadable(
            "Redis does not let the source be read any more: its key holds another type by now, or the service may not read it.");
      }
      throw failure;
    }
  }
}
