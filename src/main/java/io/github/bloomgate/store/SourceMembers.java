package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.redis.AccessDenied;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;

/**
 * Reads members of Redis keys written by other clients, in pages that are short in memory and in
 * the time of Redis.
 *
 * <p>As the SCAN commands guarantee within one process of Redis, every member that is in a set or
 * sorted set during the whole read is returned, some perhaps twice. Fails with {@link
 * BloomException}: STORE_UNAVAILABLE, SOURCE_UNREADABLE.
 */
@ApplicationScoped
public class SourceMembers {

  private static final int PAGE_MEMBERS = 1000;
  private static final int PAGE_BYTES = 256 << 10;

  private final ScriptRunner scripts;

  SourceMembers(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /**
   * Checks that a key may be a source.
   *
   * @throws BloomException INVALID_REQUEST if it belongs to the service
   */
  public static void requireForeign(Origin.RedisKey source) {
    if (source.key().isEmpty() || source.key().startsWith(Keys.PREFIX)) {
      throw RequestErrors.invalid(
          "redisKey must not be empty or begin with '%s': those keys are the service's own. Name another key."
              .formatted(Keys.PREFIX));
    }
  }

  /**
   * Some members.
   *
   * @param type of the key
   * @param server identifies the process of Redis
   * @param cursor from SCAN, or the index of the next element of a list; empty after the last page
   */
  public record Page(String type, String server, String cursor, List<byte[]> members) {

    public boolean isLast() {
      return cursor.isEmpty();
    }
  }

  public Page first(Origin.RedisKey source) {
    return page(read(source, "0"));
  }

  /** The members after a page, which must not be the last. */
  public Page after(Page before, Origin.RedisKey source) {
    var isOfList = before.type.equals("list");
    // Starts with the element before, to detect a list that was shifted since.
    var cursor = isOfList ? Long.toString(Long.parseLong(before.cursor) - 1) : before.cursor;
    var page = page(read(source, cursor));
    if (!page.type.equals(before.type)) {
      throw RebuildErrors.sourceUnreadable(
          "The Redis key of the source was replaced by one of another type while it was read. Run the source again.");
    }
    if (!page.server.equals(before.server)) {
      throw RebuildErrors.sourceUnreadable(
          "Redis failed over, moved the key of the source to another node or was restarted while the key was read, so members may have been missed. Run the source again.");
    }
    if (isOfList
        && (page.members.isEmpty() || !Arrays.equals(last(before), page.members.remove(0)))) {
      throw RebuildErrors.sourceUnreadable(
          "The list was shifted while it was read, so elements may have been missed. Keep elements in"
              + " a set, or add only at the end of the list.");
    }
    return page;
  }

  private static byte[] last(Page page) {
    return page.members.get(page.members.size() - 1);
  }

  private static Page page(ScriptReply reply) {
    return new Page(reply.text(1), reply.text(2), reply.text(3), reply.strings(4));
  }

  private ScriptReply read(Origin.RedisKey source, String cursor) {
    var reply = call(source, cursor);
    return switch (reply.status()) {
      case "OK" -> reply;
      case "GONE" ->
          throw RebuildErrors.sourceUnreadable(
              "The source is missing: there is no such key in Redis, which keeps no empty sets or lists. Fill it, or correct redisKey.");
      case "WRONG_TYPE" ->
          throw RebuildErrors.sourceUnreadable(
              "The Redis key of the source is not a set, sorted set or list. Name one that is.");
      default -> throw reply.unexpectedStatus();
    };
  }

  private ScriptReply call(Origin.RedisKey source, String cursor) {
    try {
      var arguments = new Arguments().add(cursor).add(PAGE_MEMBERS).add(PAGE_BYTES);
      var keys = List.of(source.key());
      return await(scripts.send(new ScriptCall(Script.MEMBERS, Effect.READ, keys, arguments)));
    } catch (BloomException failure) {
      if (failure.getCause() instanceof AccessDenied) {
        throw RebuildErrors.sourceUnreadable(
            "The Redis key of the source cannot be read, because the service's Redis user has no permission. Give it access to the key, and to the commands type, sscan, zscan and lrange.");
      }
      throw failure;
    }
  }
}
