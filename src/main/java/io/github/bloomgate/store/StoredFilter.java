package io.github.bloomgate.store;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.redis.ScriptReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A filter as it was found, with what its first segment counted at that moment.
 *
 * @param filter the filter
 * @param firstSegment counts of its first segment, which for most filters is the only one, without
 *     what is only journaled
 * @param isFolded whether nothing is only journaled in it
 * @param laterSegments likewise of the others, if they were looked at and nothing is only journaled
 *     in them; else empty
 * @param source what it is rebuilt from, if anything that can be read
 */
public record StoredFilter(
    Filter filter,
    SegmentCounts firstSegment,
    boolean isFolded,
    List<SegmentCounts> laterSegments,
    Optional<SourceStatus> source) {

  /**
   * Reads a filter from the fields of its state at an index of a reply, and those of its source
   * behind them.
   */
  static StoredFilter read(FilterName name, ScriptReply reply, int index, HashSecrets secrets) {
    return read(name, reply.fields(index), reply.fields(index + 1), secrets);
  }

  /** Likewise, with what its later segments were found to count. */
  StoredFilter with(List<SegmentCounts> later) {
    return new StoredFilter(filter, firstSegment, isFolded, later, source);
  }

  /** What each of its segments counts; empty if something is only journaled, or not known. */
  public List<SegmentCounts> segments() {
    return isFolded && !filter.isAdopted() && laterSegments.size() + 1 == filter.segments()
        ? Stream.concat(Stream.of(firstSegment), laterSegments.stream()).toList()
        : List.of();
  }

  /** Likewise, from both. */
  static StoredFilter read(
      FilterName name,
      Map<String, String> fields,
      Map<String, String> source,
      HashSecrets secrets) {
    return new StoredFilter(
        FilterState.read(name, fields, secrets),
        FilterState.readCounts(fields).orElseThrow(() -> FilterState.damaged(name)),
        FilterState.isFolded(fields),
        List.of(),
        SourceFields.readIfWhole(source));
  }
}
