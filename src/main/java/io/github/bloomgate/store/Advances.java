package io.github.bloomgate.store;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Asks segments what was journaled, and journals more; see {@code lua/advance.lua}. Whatever is
 * asked at the same time travels in one call, of several segments and filters too. Only where the
 * segments of a filter may be in different slots of a cluster each is asked by itself.
 */
@Singleton
public class Advances {

  /** Bytes of one call: Redis is done with them in a millisecond or two. */
  private static final int MAX_BYTES = 1 << 18;

  /** To look at a segment takes Redis as long as to append so many bytes. */
  private static final int BYTES_PER_SEGMENT = 1 << 9;

  private static final byte[] NO_BLOCKS = {};

  private final FilterScripts scripts;
  private final Coalescer<Way, Question, ScriptReply> calls;

  @Inject
  Advances(FilterScripts scripts, BloomgateConfig config) {
    this(scripts, config.speed().coalescing());
  }

  Advances(FilterScripts scripts, boolean coalescing) {
    this.scripts = scripts;
    this.calls = new Coalescer<>(way -> coalescing ? MAX_BYTES : 1, Question::size, this::call);
  }

  /**
   * Tells what others have journaled since a position, and journals more behind it. Both at one
   * moment. Delivered where Redis's answer was.
   *
   * @param known what the caller knows of the segment
   * @param blocks what to journal; none, to only ask
   * @param adds whether anything is added, journaled or known
   * @throws BloomException STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN, STORE_FULL, NOT_REPLICATED,
   *     FILTER_DAMAGED, WRONG_KEY_TYPE
   * @throws StaleFilterException if the segment is missing or holds another generation than the
   *     filter
   */
  public Uni<AdvanceReply> advance(
      Filter filter,
      int segment,
      SegmentCopy known,
      byte[] blocks,
      boolean adds,
      Durability durability) {
    // Tests are not lost with the answer to an add. Layers that are full are only asked about what
    // is added to the last one, and travel with it.
    var changes = blocks.length > 0 || (adds && filter.layers().size() > 1);
    var way = new Way(changes, durability == Durability.REPLICATED);
    // Settled here, as a request may be put together again.
    var isKnownWell = filter.isPlain() && !known.isToBeLookedAt();
    if (scripts.isSpread()) {
      var alone = new Question(filter, segment, segment, known, isKnownWell, blocks, adds);
      return call(way, List.of(alone)).map(replies -> alone.read(replies.get(0)));
    }
    var question = new Question(filter, segment, 0, known, isKnownWell, blocks, adds);
    return scripts.unlessSpread(
        calls.sendForMany(way, question).map(question::read),
        () -> advance(filter, segment, known, blocks, adds, durability));
  }

  private Uni<List<ScriptReply>> call(Way way, List<Question> questions) {
    var keys = new ArrayList<String>(Script.ADVANCE.keys() * questions.size());
    for (var question : questions) {
      keys.addAll(question.keys());
    }
    // Who journals nothing only asks, and may ask again when the answer is lost.
    var effect =
        questions.stream().anyMatch(question -> question.blocks.length > 0)
            ? Effect.WRITE
            : Effect.READ;
    return (way.isAwaited()
            ? scripts.runReplicatedForMany(
                Script.ADVANCE, keys, request -> put(request, way, questions))
            : scripts.runForMany(
                Script.ADVANCE, effect, keys, request -> put(request, way, questions)))
        .map(
            reply -> {
              if (!reply.status().equals("OK")) {
                throw reply.unexpectedStatus();
              }
              var replies = new ArrayList<ScriptReply>(reply.size() - 1);
              for (var i = 1; i < reply.size(); i++) {
                replies.add(reply.reply(i));
              }
              return replies;
            });
  }

  private static void put(Request request, Way way, List<Question> questions) {
    request.arg(way.isAwaited() ? "1" : "0");
    for (var question : questions) {
      question.put(request);
    }
  }

  /** What questions must have in common to share a call. */
  private record Way(boolean changes, boolean isAwaited) {}

  /**
   * What one segment is asked.
   *
   * @param asked the segment that tells whether the filter is still this one: the first, where it
   *     is in the same slot
   * @param isKnownWell whether its mark and its length tell all of it
   */
  private record Question(
      Filter filter,
      int segment,
      int asked,
      SegmentCopy known,
      boolean isKnownWell,
      byte[] blocks,
      boolean adds) {

    private int size() {
      return BYTES_PER_SEGMENT + blocks.length;
    }

    private List<String> keys() {
      var own = Keys.ofSegment(filter, segment);
      var first = Keys.ofSegment(filter, asked);
      return List.of(own.get(0), own.get(1), first.get(0), first.get(1));
    }

    private void put(Request request) {
      request
          .arg(filter.generation().toString())
          .arg(filter.shapeOf(segment).numHashFunctions())
          .arg(known.reached().position())
          .arg(known.reached().mark())
          .arg(blocks)
          .arg(known.mostBytes())
          .arg(known.counts().bitsSet())
          .arg(slice())
          .arg(isKnownWell ? Long.toString(known.storedBytes()) : "")
          .arg(known.kept())
          .arg(known.unfolded());
    }

    /** By insertions it does not matter: then all that is added is journaled. */
    private String slice() {
      return adds && filter.window().filter(Window::isByTime).isPresent()
          ? known.content().slice().map(slice -> Long.toString(slice.now())).orElseThrow()
          : "";
    }

    private AdvanceReply read(ScriptReply reply) {
      return switch (reply.status()) {
        case "SAME" ->
            new AdvanceReply(
                AdvanceReply.Outcome.SAME,
                NO_BLOCKS,
                FilterState.next(reply, 1),
                0,
                0,
                OptionalLong.empty(),
                asked == 0,
                reply.replicas());
        case "OK", "LONG", "TURNED" ->
            new AdvanceReply(
                AdvanceReply.Outcome.valueOf(reply.status()),
                reply.bytes(1),
                FilterState.next(reply, 2),
                reply.number(3),
                reply.number(4),
                filter.window().isPresent()
                    ? OptionalLong.of(reply.number(5))
                    : OptionalLong.empty(),
                asked == 0,
                reply.replicas());
        case "REREAD" -> AdvanceReply.REREAD;
        default -> throw Refusals.of(reply, filter.name(), keys());
      };
    }
  }
}
