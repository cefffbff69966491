package io.github.bloomgate.store;

import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/**
 * Ends moves between slots. Anybody may, at any time, several at once and again: the slot of the
 * new name decides, and the slot of the old name follows.
 */
final class MoveEnds {

  private final ScriptRunner scripts;

  MoveEnds(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /**
   * Ends a move on both sides.
   *
   * @param force whether it is undone though the instance that began it may still go on
   * @return whether the filter has arrived; empty if the move is still being done
   */
  Uni<Optional<Boolean>> end(Move move, boolean force) {
    return scripts
        .run(
            Script.MOVE_DECIDE,
            Keys.ofArrival(move),
            request -> request.arg(move.id()).arg(force ? "1" : "0"))
        .chain(
            reply ->
                switch (reply.status()) {
                  case "OPEN" -> Uni.createFrom().item(Optional.empty());
                  case "ARRIVED" -> end(move, "1").replaceWith(Optional.of(true));
                  case "UNDONE", "NONE" -> end(move, "0").replaceWith(Optional.of(false));
                  default -> throw reply.unexpectedStatus();
                });
  }

  /** The old name first: while the new one has a note of the move, anybody can do this. */
  private Uni<Void> end(Move move, String arrived) {
    return scripts
        .run(
            Script.MOVE_END,
            Keys.ofFilter(move.from()),
            request -> request.arg(move.toString()).arg(arrived))
        .chain(
            () ->
                scripts.run(
                    Script.MOVE_CLOSE,
                    Keys.ofArrival(move).subList(0, 1),
                    request -> request.arg(move.id())))
        .replaceWithVoid();
  }
}
