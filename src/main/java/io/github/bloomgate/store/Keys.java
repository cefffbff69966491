package io.github.bloomgate.store;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Every Redis key there is. What must change together shares a hash tag, and so a cluster slot.
 *
 * <p>A filter's first segment bears its name, so that the bitmap of an ordinary filter is found by
 * eye; the later segments bear the incarnation, so that a rename need not touch them.
 */
final class Keys {

  /** The sorted set of all names, in lexicographic order. */
  static final String CATALOGUE = "bloom:catalogue";

  /**
   * The sorted set of names whose later segments may need to be reconciled, by time of the change.
   */
  static final String UNSETTLED = "bloom:unsettled";

  /** The sorted set of names whose sources are read by themselves, by time of the next look. */
  static final String SCHEDULE = "bloom:schedule";

  /**
   * What is counted for the quotas: the sorted set of names, what is known of each, and the sums of
   * prefixes. No name has an equals sign, so that none has this hash tag.
   */
  static final List<String> USAGE =
      List.of("bloom:{=usage}:names", "bloom:{=usage}:entries", "bloom:{=usage}:totals");

  /**
   * What lists names: the catalogue, those to be reconciled, and what is counted for the quotas.
   */
  private static final List<String> LISTS =
      Stream.concat(Stream.of(CATALOGUE, UNSETTLED), USAGE.stream()).toList();

  /** What all keys begin with. */
  static final String PREFIX = "bloom:";

  private static final String NEXT = ":next";

  private Keys() {}

  /**
   * State and bits of a segment, in the order the scripts expect; and its companion, if it has one.
   */
  static List<String> ofSegment(Filter filter, int segment) {
    if (segment > 0) {
      return ofLaterSegment(filter.generation().incarnation(), segment);
    }
    return filter.isNext()
        ? ofNextFirstSegment(filter.name())
        : withAdopted(ofFirstSegment(filter.name()), filter.adoptedKey());
  }

  /**
   * State and bits of a segment, and of the filter's first segment, which knows whether the filter
   * is still this one: only where one Redis has both.
   */
  static List<String> withFirst(Filter filter, int segment) {
    return Stream.of(ofSegment(filter, segment), ofSegment(filter, 0))
        .flatMap(List::stream)
        .toList();
  }

  /** State and bits of the first segment of a generation, and the list of segment sets. */
  static List<String> withSegmentSets(Filter filter) {
    var keys = ofSegment(filter, 0);
    return List.of(keys.get(0), keys.get(1), segments(filter.name()));
  }

  /** State and bits of a segment, and two keys beside them that exist only within a script. */
  static List<String> withScratch(Filter filter, int segment) {
    var keys = ofSegment(filter, segment);
    return List.of(keys.get(0), keys.get(1), keys.get(1) + ":given", keys.get(1) + ":held");
  }

  /** State and bits of a filter's first segment. */
  static List<String> ofFirstSegment(FilterName name) {
    return List.of(state(name.value()), bits(name.value()));
  }

  /** State and bits of the first segment of the generation that a rebuild loads. */
  static List<String> ofNextFirstSegment(FilterName name) {
    return List.of(state(name.value()) + NEXT, bits(name.value()) + NEXT);
  }

  /** State and bits of one of the segments from 1 on. */
  static List<String> ofLaterSegment(String incarnation, int segment) {
    var tag = incarnation + "/" + segment;
    return List.of(state(tag), bits(tag));
  }

  /**
   * All keys in the slot of a name: state and bits of the first segment, the list of segment sets
   * the name owns, state and bits of the first segment of the next generation, source.
   */
  static List<String> ofFilter(FilterName name) {
    var live = ofFirstSegment(name);
    var next = ofNextFirstSegment(name);
    return List.of(
        live.get(0), live.get(1), segments(name), next.get(0), next.get(1), source(name));
  }

  /** Likewise of a filter, or of the one that a next generation shall replace. */
  static List<String> ofFilter(Filter filter) {
    return withAdopted(ofFilter(filter.name()), filter.adoptedKey());
  }

  /**
   * Likewise of a filter that is about to adopt a bitmap, and the key its bits would have without:
   * what is there belongs to another filter of its name.
   */
  static List<String> ofAdoption(Filter filter) {
    var keys = new ArrayList<>(ofFilter(filter));
    keys.add(ofFilter(filter.name()).size(), bits(filter.name().value()));
    return keys;
  }

  /**
   * Likewise of a filter, then of later segments, then what lists all names: only where one Redis
   * has all keys.
   */
  static List<String> withLists(Filter filter, List<String> later) {
    return Stream.of(ofFilter(filter), later, LISTS).flatMap(List::stream).toList();
  }

  /** State and bits of all later segments of a generation. */
  static List<String> ofLaterSegments(Filter filter) {
    return IntStream.range(1, filter.segments())
        .mapToObj(segment -> ofLaterSegment(filter.generation().incarnation(), segment))
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Keys of which the second is a bitmap, for a filter whose bitmap may be a library's: that takes
   * its place, and if it has a companion, that comes last.
   */
  static List<String> withAdopted(List<String> keys, Optional<AdoptedKey> adopted) {
    if (adopted.isEmpty()) {
      return keys;
    }
    var all = new ArrayList<>(keys);
    all.set(1, adopted.get().redisKey());
    adopted.get().companionKey().ifPresent(all::add);
    return all;
  }

  /** State and bits of a filter's first segment, and its source. */
  static List<String> ofFound(FilterName name) {
    return List.of(state(name.value()), bits(name.value()), source(name));
  }

  /** State of a filter's first segment, and its source. */
  static List<String> ofSource(FilterName name) {
    return List.of(state(name.value()), source(name));
  }

  private static String source(FilterName name) {
    return "bloom:{" + name + "}:source";
  }

  /** All of {@link #ofFilter} but the source, and the moves to the name. */
  static List<String> ofOutline(FilterName name) {
    var keys = new ArrayList<>(ofFilter(name));
    keys.set(keys.size() - 1, moves(name));
    return keys;
  }

  /** The hash of the moves from other slots to a name, by their ids. */
  static String moves(FilterName to) {
    return "bloom:{" + to + "}:moves";
  }

  /**
   * What a move needs in the slot of the new name: the hash of moves, and under keys that nobody
   * else uses the bitmap and that of the next generation.
   */
  static List<String> ofArrival(Move move) {
    var bits = ofFirstSegment(move.to()).get(1);
    return List.of(moves(move.to()), bits + ":" + move.id(), bits + NEXT + ":" + move.id());
  }

  /** All keys of the new name, and those of {@link #ofArrival}. */
  static List<String> ofCommittedMove(Move move) {
    var keys = new ArrayList<>(ofFilter(move.to()));
    keys.addAll(ofArrival(move));
    return keys;
  }

  /** The hash from incarnation to number of segments: the filter's own and those to be freed. */
  static String segments(FilterName name) {
    return "bloom:{" + name + "}:segments";
  }

  private static String state(String tag) {
    return "bloom:{" + tag + "}:state";
  }

  private static String bits(String tag) {
    return "bloom:{" + tag + "}:bits";
  }
}
