package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The steps by which a filter gets a name in another slot of a Redis Cluster, where no script
 * reaches both names. Every method but {@link #copy} and {@link #end} is one script.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL. Those of a move fail with FILTER_CHANGED if it was undone by others meanwhile,
 * because it stood still.
 */
@ApplicationScoped
public class MoveStore {

  /** How long a move may stand still between two steps before others end it. */
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** The most bytes of one step, which occupy Redis for about 0.2 ms. */
  static final int MAX_PIECE_BYTES = 1 << 18;

  private final FilterScripts filters;
  private final ScriptRunner scripts;
  private final MoveEnds ends;
  private final long leaseMillis;

  @Inject
  MoveStore(FilterScripts filters, ScriptRunner scripts) {
    this(filters, scripts, LEASE);
  }

  MoveStore(FilterScripts filters, ScriptRunner scripts, Duration lease) {
    this.filters = filters;
    this.scripts = scripts;
    this.leaseMillis = lease.toMillis();
    this.ends = new MoveEnds(scripts);
  }

  /** Whether one script reaches both names, as far as that is known without asking Redis. */
  public boolean isOneSlot(FilterName from, FilterName to) {
    return scripts.isOneSlot(Keys.segments(from), Keys.segments(to));
  }

  /** The failure for a filter that has adopted a key, which cannot move. */
  public BloomException adopted(FilterName from, FilterName to, String key) {
    return FilterErrors.adoptedElsewhere(from, key, SlotNames.fitting(to, key));
  }

  /** Notes the move where it leads to, so that whatever comes of it is found there. */
  public void open(Move move) {
    scripts
        .call(
            Script.MOVE_OPEN,
            moves(move.to()),
            request -> request.arg(move.id()).arg(move.from().value()).arg(leaseMillis))
        .requireOk();
  }

  /**
   * Fences the filter. From here on nothing of it changes, until the move has ended.
   *
   * @return what is to be moved; empty if there is no such filter
   * @throws BloomException FILTER_NOT_READY, FILTER_DAMAGED, WRONG_KEY_TYPE; INVALID_REQUEST if it
   *     has adopted a key, which cannot move
   */
  public Optional<Departure> fence(Move move) {
    var keys = Keys.ofFilter(move.from());
    var reply = filters.call(Script.MOVE_FENCE, keys, request -> request.arg(move.toString()));
    return switch (reply.status()) {
      case "OK" ->
          Optional.of(
              new Departure(
                  reply.fields(1),
                  reply.fields(2),
                  reply.fields(3),
                  reply.fields(4),
                  reply.number(5),
                  reply.number(6),
                  reply.number(7)));
      case "GONE" -> Optional.empty();
      case "ELSEWHERE" -> throw adopted(move.from(), move.to(), reply.text(1));
      default -> throw Refusals.of(reply, move.from(), keys);
    };
  }

  /** Copies the bitmaps of a fenced filter to where nobody sees them yet. */
  public void copy(Move move, Departure departure) {
    var hidden = Keys.ofArrival(move);
    copy(move, Keys.ofFirstSegment(move.from()), hidden.get(1), departure.bytes());
    copy(move, Keys.ofNextFirstSegment(move.from()), hidden.get(2), departure.nextBytes());
  }

  private void copy(Move move, List<String> from, String hidden, long bytes) {
    for (var offset = 0L; offset < bytes; offset += MAX_PIECE_BYTES) {
      var first = offset;
      var last = Math.min(bytes, first + MAX_PIECE_BYTES) - 1;
      var read =
          call(
              move,
              Script.MOVE_READ,
              from,
              request -> request.arg(move.toString()).arg(first).arg(last));
      call(
          move,
          Script.MOVE_WRITE,
          List.of(Keys.moves(move.to()), hidden),
          request -> request.arg(move.id()).arg(leaseMillis).arg(first).arg(read.bytes(1)));
    }
  }

  /**
   * Gives the filter its new name. This is the step that makes it so, for every reader; what is
   * left of the old name is fenced, and only has to be removed.
   *
   * @param replace whether a filter that bears the new name is dropped for it
   * @throws BloomException FILTER_EXISTS if the new name is taken and not to be replaced;
   *     WRONG_KEY_TYPE
   */
  public void commit(Move move, Departure departure, boolean replace) {
    var keys = Keys.ofCommittedMove(move);
    var reply =
        filters.call(
            Script.MOVE_COMMIT,
            keys,
            request -> {
              request.arg(move.id()).arg(leaseMillis).arg(replace ? "1" : "0");
              request.arg(departure.bytes()).arg(departure.nextBytes()).arg(departure.deadline());
              var all =
                  List.of(
                      departure.state(), departure.sets(), departure.next(), departure.source());
              all.forEach(fields -> request.arg(2 * fields.size()));
              all.forEach(fields -> put(request, fields));
            });
    switch (reply.status()) {
      case "OK" -> {}
      case "LOST" -> throw FilterErrors.changed(move.from());
      case "EXISTS" -> throw FilterErrors.nameTaken(move.to());
      default -> throw Refusals.of(reply, move.to(), keys);
    }
  }

  private static void put(Request request, Map<String, String> fields) {
    fields.forEach((name, value) -> request.arg(name).arg(value));
  }

  /**
   * Waits until replicas have what was committed, as the old name is about to be removed; not
   * longer than they are given for an add. Where there are none nobody can wait for them.
   */
  public void replicate(Move move) {
    await(
        scripts
            .runReplicated(
                Script.MOVE_HOLD,
                moves(move.to()),
                request -> request.arg(move.id()).arg(leaseMillis))
            .onFailure()
            .recoverWithNull());
  }

  /**
   * Ends a move on both sides: one that was committed is finished, any other is undone.
   *
   * @param force whether it is undone though the instance that began it may still go on
   * @return whether the filter bears the new name; empty if the move is still being done
   */
  public Optional<Boolean> end(Move move, boolean force) {
    return await(ends.end(move, force));
  }

  private ScriptReply call(
      Move move, Script script, List<String> keys, Consumer<Request> arguments) {
    var reply = scripts.call(script, keys, arguments);
    if (reply.status().equals("LOST")) {
      throw FilterErrors.changed(move.from());
    }
    return reply.requireOk();
  }

  private static List<String> moves(FilterName to) {
    return List.of(Keys.moves(to));
  }
}
