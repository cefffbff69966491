package io.github.bloomgate.store;

import io.github.bloomgate.journal.JournalPlace;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.CounterCounts;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Segments with their journals, one at a time. Every method but {@link #replay} is one script.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, NOT_REPLICATED, FILTER_DAMAGED, WRONG_KEY_TYPE; and with {@link StaleFilterException}
 * if the segment is missing or holds another generation than the filter.
 */
@ApplicationScoped
public class JournalStore {

  private final FilterScripts scripts;
  private final Marks marks = new Marks();

  JournalStore(FilterScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * Reads a whole segment.
   *
   * @return a copy that can follow its journal; empty if Redis has no memory to note where it is
   */
  public Uni<Optional<SegmentCopy>> follow(Filter filter, int segment) {
    return read(filter, segment)
        .map(
            reply -> {
              try {
                return reply.text(4).isEmpty()
                    ? Optional.<SegmentCopy>empty()
                    : Optional.of(copy(filter, segment, reply));
              } catch (OutOfMemoryError full) {
                // Beside the heap only; without a copy all goes on bit by bit.
                return Optional.empty();
              }
            });
  }

  /** Likewise, for one look: where it is need not be noted. */
  public Uni<SegmentCopy> look(Filter filter, int segment) {
    return read(filter, segment).map(reply -> copy(filter, segment, reply));
  }

  private Uni<ScriptReply> read(Filter filter, int segment) {
    var mark = marks.next();
    return scripts
        .runForMany(
            Script.FOLLOW,
            Keys.ofSegment(filter, segment),
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg(filter.shapeOf(segment).numHashFunctions())
                    .arg(mark))
        .map(
            reply -> {
              SegmentStore.expectOk(reply, filter, segment);
              return reply;
            });
  }

  private static SegmentCopy copy(Filter filter, int segment, ScriptReply reply) {
    try {
      return copyOf(filter, segment, reply);
    } catch (IllegalArgumentException damage) {
      throw FilterErrors.damaged(filter.name(), SegmentStore.bitsKey(filter, segment));
    }
  }

  private static SegmentCopy copyOf(Filter filter, int segment, ScriptReply reply) {
    var shape = filter.shapeOf(segment);
    var read = reply.bytes(1);
    var base = reply.number(2);
    var folded = reply.number(3);
    var mark = reply.text(4);
    var counts =
        filter.isCounting()
            ? new SegmentCounts(
                reply.number(5),
                reply.number(6),
                new CounterCounts(reply.number(8), reply.number(9)))
            : new SegmentCounts(reply.number(5), reply.number(6));
    return filter
        .window()
        .map(
            window ->
                SegmentCopy.ofWindow(
                    shape,
                    window,
                    read,
                    base,
                    folded,
                    mark,
                    counts,
                    new Slice(reply.number(8), reply.number(9), reply.number(10))))
        .orElseGet(() -> new SegmentCopy(shape, reply.number(7), read, base, folded, mark, counts));
  }

  /**
   * Puts a copy in the place of a segment's snapshot.
   *
   * @param at the position that the copy had in common with the segment, with the mark seen there
   * @param mark that of the change, if the copy has more than was journaled; empty if not
   * @return whether it was done; not if the segment has changed since, or its snapshot is as new
   */
  public Uni<FoldReply> fold(
      Filter filter,
      int segment,
      SegmentCopy copy,
      JournalPlace at,
      String mark,
      Durability durability) {
    return fold(filter, segment, copy, at, mark, durability, false);
  }

  /**
   * Puts a copy that has more than a segment in the place of its snapshot; what was journaled there
   * meanwhile stays behind it.
   *
   * @param at the position up to which the copy has what the segment has, with the mark seen there
   * @return whether it was done; not if what was journaled is not kept any more or may have no
   *     room, or a slice began
   */
  public Uni<Boolean> put(Filter filter, int segment, SegmentCopy copy, JournalPlace at) {
    return fold(filter, segment, copy, at, marks.next(), Durability.PRIMARY, true)
        .map(FoldReply::done);
  }

  private Uni<FoldReply> fold(
      Filter filter,
      int segment,
      SegmentCopy copy,
      JournalPlace at,
      String mark,
      Durability durability,
      boolean keepsLater) {
    var keys = Keys.ofSegment(filter, segment);
    var k = filter.shapeOf(segment).numHashFunctions();
    var isAwaited = durability == Durability.REPLICATED;
    var snapshot = copy.snapshot();
    var counts = copy.counts();
    var history = copy.history();
    var content = contentOf(copy);
    Consumer<Request> arguments =
        request ->
            request
                .arg(filter.generation().toString())
                .arg(isAwaited ? -k : k)
                .arg(at.position())
                .arg(at.mark())
                .arg(snapshot)
                .arg(counts.bitsSet())
                .arg(counts.insertions())
                .arg(history.position())
                .arg(history.mark())
                .arg(mark)
                .arg(content.get(0))
                .arg(content.get(1))
                .arg(filter.window().map(window -> WindowText.held(window, snapshot)).orElse(""))
                .arg(keepsLater ? "1" : "0");
    return (isAwaited
            ? scripts.runReplicatedForMany(Script.FOLD, keys, arguments)
            : scripts.runForMany(Script.FOLD, keys, arguments))
        .map(
            reply ->
                switch (reply.status()) {
                  case "OK", "CHANGED" ->
                      new FoldReply(
                          reply.status().equals("OK"),
                          FilterState.next(reply, 1),
                          reply.number(2),
                          reply.number(3),
                          reply.replicas());
                  default -> throw SegmentStore.refusal(reply, filter, segment);
                });
  }

  /** What a fold tells beside the usual counts. */
  private static List<String> contentOf(SegmentCopy copy) {
    var slice = copy.content().slice();
    if (slice.isPresent()) {
      return List.of(Long.toString(slice.get().number()), Long.toString(slice.get().taken()));
    }
    return copy.counts()
        .counters()
        .map(counters -> List.of(Long.toString(counters.above0()), Long.toString(counters.full())))
        .orElse(List.of("", ""));
  }

  /**
   * Brings a segment's bitmap to where its journal is when this is called.
   *
   * @param drop whether the journal is dropped then, if nothing came since
   */
  public Uni<Void> replay(Filter filter, int segment, boolean drop) {
    return replay(filter, segment, drop, Long.MAX_VALUE).replaceWithVoid();
  }

  /** Likewise, and reads what the segment counts then. */
  Uni<SegmentCounts> count(Filter filter, int segment) {
    return replay(filter, segment, false, Long.MAX_VALUE)
        .map(reply -> FilterState.requireCounts(reply.fields(3), filter, segment));
  }

  private Uni<ScriptReply> replay(Filter filter, int segment, boolean drop, long till) {
    return scripts
        .run(
            Script.REPLAY,
            Keys.ofSegment(filter, segment),
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg(filter.shapeOf(segment).numHashFunctions())
                    .arg(SegmentStore.MAX_BITS_PER_CALL)
                    .arg(drop ? "1" : "0"))
        .chain(
            reply -> {
              SegmentStore.expectOk(reply, filter, segment);
              var left = reply.number(1);
              var tip = Math.min(till, reply.number(2));
              return left == 0 || reply.number(2) - left >= tip
                  ? Uni.createFrom().item(reply)
                  : replay(filter, segment, drop, tip);
            });
  }
}
