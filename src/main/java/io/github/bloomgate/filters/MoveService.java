package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Move;
import io.github.bloomgate.store.MoveStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Renames filters to names in another slot of a Redis Cluster, where no script reaches both.
 *
 * <p>The filter is fenced, its first segment is copied to where the new name is, and one script
 * there gives it the new name: that is the step that decides. Then the old name is removed. If this
 * is cut short anywhere, whoever comes to the old name next ends it: it is finished if that script
 * was run, and undone if not. Until then the old name answers nobody, so never do both names live.
 */
@ApplicationScoped
public class MoveService {

  private final FilterStore filters;
  private final MoveStore moves;

  public MoveService(FilterStore filters, MoveStore moves) {
    this.filters = filters;
    this.moves = moves;
  }

  /**
   * Fails where it is known beforehand that a filter cannot be renamed so.
   *
   * @throws BloomException INVALID_REQUEST if it has adopted a key, and the new name is in another
   *     slot than that
   */
  Uni<Void> requireMovable(FilterName from, FilterName to) {
    return moves.isOneSlot(from, to)
        ? Uni.createFrom().voidItem()
        : filters
            .find(from)
            .invoke(
                found ->
                    found
                        .flatMap(stored -> stored.filter().adoptedKey())
                        .ifPresent(
                            adopted -> {
                              throw moves.adopted(from, to, adopted.redisKey());
                            }))
            .replaceWithVoid();
  }

  /**
   * Renames a filter, as {@link FilterStore#rename} does within a slot.
   *
   * @return false if there is no filter of the old name
   * @throws BloomException FILTER_EXISTS if the new name is taken and not to be replaced;
   *     FILTER_CHANGED if it took so long that others undid it
   */
  Uni<Boolean> move(FilterName from, FilterName to, boolean replace) {
    var move = Move.begin(from, to);
    return moves
        .open(move)
        .chain(() -> moves.fence(move))
        .chain(
            departure ->
                departure
                    .map(
                        found ->
                            moves
                                .copy(move, found)
                                .chain(() -> moves.commit(move, found, replace))
                                .chain(() -> moves.replicate(move))
                                .replaceWith(true))
                    .orElseGet(() -> Uni.createFrom().item(false)))
        .onItemOrFailure()
        .transformToUni((moved, failure) -> end(move, moved, failure));
  }

  /** What cannot be ended now is ended by whoever comes next; what was done, was. */
  private Uni<Boolean> end(Move move, Boolean moved, Throwable failure) {
    var ended = moves.end(move, true);
    return failure == null
        ? ended.onFailure().recoverWithNull().replaceWith(moved)
        : ended
            .onFailure()
            .transform(alsoFailed -> failure)
            .chain(
                arrived ->
                    arrived.orElse(false)
                        ? Uni.createFrom().item(true)
                        : Uni.createFrom().failure(failure));
  }
}
