package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.redis.Arguments;
import java.util.Map;
import java.util.Optional;

/**
 * A filter that is deleted, or replaced by a rename, as the caller read it.
 *
 * @param version empty if there is none, or if an interrupted deletion is finished
 * @param content empty if its state is damaged and does not name it; its segments then remain
 * @param hasNext whether the state of a next generation is known to exist
 * @param next the next generation, whose content the caller will drop; empty if it does not know it
 */
public record RemovedFilter(
    String version,
    Optional<ContentId> content,
    Written written,
    boolean hasNext,
    boolean hasSource,
    Optional<FilterState> next) {

  public static final RemovedFilter NONE =
      new RemovedFilter("", Optional.empty(), Written.NONE, false, false, Optional.empty());

  public static RemovedFilter of(FilterState state, Optional<FilterState> next) {
    return new RemovedFilter(
        state.version(),
        Optional.of(state.content()),
        state.written(),
        state.next().isPresent(),
        state.hasSource(),
        next);
  }

  /**
   * A filter that can be deleted, although its state is damaged or its deletion was cut off. In the
   * second case, its source and rebuild may or may not exist.
   */
  static RemovedFilter read(Map<String, byte[]> fields) {
    var isCutOff = !fields.containsKey("version");
    return new RemovedFilter(
        FilterState.text(fields, "version"),
        FilterState.content(fields),
        new Written(FilterState.bytes(fields, "written")),
        isCutOff || FilterState.optional(fields, "next").isPresent(),
        isCutOff || FilterState.text(fields, "source").equals("1"),
        Optional.empty());
  }

  /** The same filter after other segments were written. */
  public RemovedFilter withWritten(Written other) {
    return new RemovedFilter(version, content, other, hasNext, hasSource, next);
  }

  /** Adds the next generation: whether it is known, and its segments. */
  void putNext(Arguments arguments) {
    arguments
        .add(next.isPresent())
        .add(next.map(FilterState::written).orElse(Written.NONE).bytes());
  }

  Optional<Dropped> dropped() {
    return content.map(its -> new Dropped(its, written));
  }
}
