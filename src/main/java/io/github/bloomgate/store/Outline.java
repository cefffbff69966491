package io.github.bloomgate.store;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Rebuild;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is needed to reconcile the segments under a name.
 *
 * @param filter the filter that bears the name now, if any
 * @param rebuild the rebuild that is open for it, or for a filter to come
 * @param segmentSets number of segments by incarnation: those of the filter, of its next
 *     generation, and those to be freed
 * @param moves moves to the name that are not known to have ended on both sides
 */
public record Outline(
    Optional<Filter> filter,
    Optional<Rebuild> rebuild,
    Map<String, Integer> segmentSets,
    List<Move> moves) {

  /** Whether nothing has to be looked at again later. */
  public boolean isAtRest() {
    return rebuild.isEmpty() && moves.isEmpty();
  }

  /** The live generation and the next, as far as there are any. */
  public List<Filter> generations() {
    return Stream.concat(filter.stream(), rebuild.map(Rebuild::next).stream()).toList();
  }
}
