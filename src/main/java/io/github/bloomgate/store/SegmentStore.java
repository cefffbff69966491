package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentField;
import io.github.bloomgate.segment.SegmentFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The segments of filters. Each method is one step in Redis, except {@link #fold}, whose second
 * step changes the segment. Fails as {@link ScriptRunner}. Thread-safe.
 */
@Singleton
public class SegmentStore {

  private static final long FOLD_MILLIS = 60_000;
  private static final byte[] NONE = {};

  private final ScriptRunner scripts;
  private final RedisLink link;

  SegmentStore(ScriptRunner scripts, RedisLink link) {
    this.scripts = scripts;
    this.link = link;
  }

  /**
   * The replies of {@link #advance}.
   *
   * @param millis the time in Redis, which is the stamp of all blocks that the call appended
   * @param replicas the number of replicas that have confirmed it, if they had to
   * @param groups a reply for each segment of each group, in the order asked; empty if the
   *     generation has another version or does not exist: read the filter again
   */
  public record Advance(long millis, int replicas, List<Optional<List<SegmentReply>>> groups) {

    private static Advance of(ScriptReply reply, List<SegmentGroup> groups) {
      if (reply.size() != 2 + groups.size()) {
        throw reply.unexpectedStatus();
      }
      var replies = new ArrayList<Optional<List<SegmentReply>>>(groups.size());
      for (var i = 0; i < groups.size(); i++) {
        replies.add(group(reply.reply(2 + i), groups.get(i).questions().size()));
      }
      return new Advance(reply.number(1), reply.replicas(), replies);
    }

    private static Optional<List<SegmentReply>> group(ScriptReply reply, int segments) {
      if (reply.status().equals("CHANGED")) {
        return Optional.empty();
      } else if (reply.requireOk().size() != 1 + segments) {
        throw reply.unexpectedStatus();
      }
      var replies = new ArrayList<SegmentReply>(segments);
      for (var i = 1; i <= segments; i++) {
        replies.add(SegmentReply.of(reply, i));
      }
      return Optional.of(replies);
    }
  }

  /**
   * Reads the blocks that other instances appended to segments since the caller last looked, and
   * appends the caller's blocks after them, in one step. On a cluster the groups must belong to one
   * filter.
   */
  public Uni<Advance> advance(List<SegmentGroup> groups) {
    var appends = groups.stream().anyMatch(SegmentGroup::appends);
    return advance(groups, appends ? Effect.WRITE : Effect.READ);
  }

  /**
   * Waits until replicas have everything that the caller knows of some segments, including blocks
   * from other connections. Returns no blocks. Fails as {@link Effect#REPLICATED}.
   *
   * @param group appends nothing
   */
  public Uni<Advance> confirm(SegmentGroup group) {
    return advance(List.of(group), Effect.REPLICATED);
  }

  private Uni<Advance> advance(List<SegmentGroup> groups, Effect effect) {
    var keys = new ArrayList<String>();
    groups.forEach(group -> keys.addAll(group.keys()));
    var arguments = new Arguments().add(effect == Effect.REPLICATED);
    groups.forEach(group -> put(arguments, group));
    return scripts
        .send(new ScriptCall(Script.ADVANCE, effect, keys, arguments))
        .map(reply -> Advance.of(reply.requireOk(), groups));
  }

  /** Whether Redis is a cluster, so that a call can name keys of one filter only. */
  public boolean isSpread() {
    return scripts.isSpread();
  }

  private static void put(Arguments arguments, SegmentGroup group) {
    var format = group.format();
    arguments
        .add(group.generation().version())
        .add(group.indexes())
        .add(format.bitmapBytes())
        .add(format.headerBytes())
        .add(format.journalLimit());
    for (var question : group.questions()) {
      arguments.add(question.position()).add(question.mark()).add(question.block());
    }
  }

  /** Reads a whole segment; empty if it does not exist. */
  public Uni<Optional<byte[]>> read(ContentId content, int segment) {
    return new PlainRead(link, Keys.segment(content, segment))
        .send(Command.GET, UnaryOperator.identity())
        .map(reply -> Optional.ofNullable(reply).map(Response::toBytes));
  }

  /** Reads the header of a segment; empty if it has no bitmap yet, or does not exist. */
  public Uni<byte[]> header(ContentId content, int segment, SegmentFormat format) {
    return new PlainRead(link, Keys.segment(content, segment))
        .send(
            Command.GETRANGE,
            request ->
                request
                    .arg(format.bitmapBytes())
                    .arg(format.bitmapBytes() + format.headerBytes() - 1))
        .map(Response::toBytes);
  }

  /**
   * Reads the mark at the end of a segment, which identifies its content; empty if it does not
   * exist.
   */
  public Uni<byte[]> mark(ContentId content, int segment) {
    return new PlainRead(link, Keys.segment(content, segment))
        .send(Command.GETRANGE, request -> request.arg(-SegmentCopy.MARK_BYTES).arg(-1))
        .map(Response::toBytes);
  }

  /** Reads the length of a segment; 0 if it does not exist. */
  public Uni<Long> length(ContentId content, int segment) {
    return new PlainRead(link, Keys.segment(content, segment))
        .send(Command.STRLEN, UnaryOperator.identity())
        .map(Response::toLong);
  }

  /**
   * Replaces a segment by a string that contains its blocks up to a position, and perhaps joined
   * content. Blocks appended after the caller read the segment are kept.
   *
   * @param bytes bitmap and header. The header has the known mark, and the known position as its
   *     base; if other content was joined in, it has a fresh mark, and a base above all former
   *     positions
   * @param laterMark a fresh mark if later blocks may stay after joined content
   */
  public Uni<FoldReply> fold(KnownSegment known, byte[] bytes, Optional<byte[]> laterMark) {
    var foldKey = Keys.fold(known.generation().content(), known.segment());
    var write = Request.cmd(Command.SET).arg(foldKey).arg(bytes).arg("PX").arg(FOLD_MILLIS);
    return link.send(write, Effect.WRITE)
        .chain(() -> fold(known, List.of(foldKey), arguments(known).add(laterMark.orElse(NONE))));
  }

  /**
   * Updates the bitmap and header of a segment in place up to a position. The journal stays.
   *
   * @param fields at most {@link SegmentCopy#MOST_FIELDS}
   */
  public Uni<FoldReply> patch(KnownSegment known, List<SegmentField> fields) {
    var arguments = arguments(known);
    fields.forEach(field -> put(arguments, field));
    return fold(known, List.of(), arguments);
  }

  private static void put(Arguments arguments, SegmentField field) {
    // BITFIELD has no unsigned numbers of 64 bits.
    var type = (field.bits() == Long.SIZE ? "i" : "u") + field.bits();
    arguments.add("SET").add(type).add(field.bit()).add(field.value());
  }

  private static Arguments arguments(KnownSegment known) {
    return new Arguments()
        .add(known.generation().content().incarnation())
        .add(known.format().bitmapBytes())
        .add(known.format().headerBytes())
        .add(known.segment())
        .add(known.position())
        .add(known.mark())
        .add(known.folded());
  }

  private Uni<FoldReply> fold(KnownSegment known, List<String> newKey, Arguments arguments) {
    var keys = new ArrayList<String>();
    keys.add(known.generation().stateKey());
    keys.add(known.generation().segmentKey(known.segment()));
    keys.addAll(newKey);
    return scripts
        .send(new ScriptCall(Script.FOLD, Effect.WRITE, keys, arguments))
        .map(reply -> reply.status().equals("OK") ? FoldReply.DONE : reply.status(FoldReply.class));
  }

  /**
   * Tests or adds elements bit by bit, in one step; on a cluster, of one filter.
   *
   * @param some with at most {@link Bits#MAX_PER_CALL} in all
   * @param effect READ to test
   * @return a reply for each
   */
  public Uni<List<BitsReply>> bits(List<Bits> some, Effect effect) {
    var keys = new ArrayList<String>();
    var arguments = new Arguments();
    for (var bits : some) {
      keys.addAll(bits.keys());
      arguments.add(bits.keys().size());
      bits.put(arguments, effect);
    }
    return scripts
        .send(new ScriptCall(Script.BITS, effect, keys, arguments))
        .map(reply -> replies(reply.requireOk(), some, effect != Effect.READ));
  }

  private static List<BitsReply> replies(ScriptReply all, List<Bits> some, boolean isAdd) {
    return IntStream.range(0, some.size())
        .mapToObj(i -> BitsReply.of(all.reply(i + 1), some.get(i), isAdd))
        .toList();
  }
}
