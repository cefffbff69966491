package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Move;
import io.github.bloomgate.store.MoveStore;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Renames filters to names in another slot of a Redis Cluster, where no script reaches both.
 *
 * <p>The filter is fenced, its first segment is copied to where the new name is, and one script
 * there gives it the new name: that is the step that decides. Then the old name is removed. If this
 * is cut short anywhere, the next request for the old name ends it: it is finished if that script
 * was run, and undone if not. Until then the old name answers nobody, so never do both names live.
 */
@ApplicationScoped
public class MoveService {

  private final FilterStore filters;
  private final MoveStore moves;

  private final Reconciler reconciler;

  public MoveService(FilterStore filters, MoveStore moves, Reconciler reconciler) {
    this.filters = filters;
    this.moves = moves;
    this.reconciler = reconciler;
  }

  /**
   * Fails where it is known beforehand that a filter cannot be renamed so.
   *
   * @throws BloomException INVALID_REQUEST if it has adopted a key, and the new name is in another
   *     slot than that
   */
  void requireMovable(FilterName from, FilterName to) {
    if (moves.isOneSlot(from, to)) {
      return;
    }
    await(filters.find(from))
        .flatMap(stored -> stored.filter().adoptedKey())
        .ifPresent(
            adopted -> {
              throw moves.adopted(from, to, adopted.redisKey());
            });
  }

  /**
   * Renames a filter, within its slot or to another.
   *
   * @return false if there is no filter of the old name
   * @throws BloomException FILTER_EXISTS if the new name is taken and not to be replaced;
   *     FILTER_CHANGED if it took so long that others undid it
   */
  boolean rename(FilterName from, FilterName to, boolean replace) {
    try {
      return filters.rename(from, to, replace);
    } catch (SeveralSlotsException several) {
      // It is noted under both names: a move may leave something under either.
      var intent = reconciler.intend(from);
      var moved = move(from, to, replace);
      reconciler.reconcile(intent);
      return moved;
    }
  }

  private boolean move(FilterName from, FilterName to, boolean replace) {
    var move = Move.begin(from, to);
    boolean moved;
    try {
      moved = moveTo(move, replace);
    } catch (RuntimeException failure) {
      if (hasArrived(move)) {
        return true;
      }
      throw failure;
    }
    hasArrived(move);
    return moved;
  }

  private boolean moveTo(Move move, boolean replace) {
    moves.open(move);
    var found = moves.fence(move);
    if (found.isEmpty()) {
      return false;
    }
    moves.copy(move, found.get());
    moves.commit(move, found.get(), replace);
    moves.replicate(move);
    return true;
  }

  /** Ends a move. If that fails now, the next request ends it; what was done, was. */
  private boolean hasArrived(Move move) {
    try {
      return moves.end(move, true).orElse(false);
    } catch (RuntimeException unended) {
      return false;
    }
  }
}
