package io.github.bloomgate.elements;

import io.github.bloomgate.elements.SegmentWork.Kind;
import io.github.bloomgate.filters.FilterGrowth;
import io.github.bloomgate.filters.SegmentCalls;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.SegmentResult;
import io.micrometer.core.instrument.Counter;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Elements that follow each other, few enough to be hashed at once, and one layer.
 *
 * <p>A segment of a filter that grows takes elements until it is full, and from then on none. So an
 * element is in a layer only if its segments of all layers before were full when it was added, and
 * still are. An add goes to the first layer that takes or knows the element: as a segment that has
 * refused it never takes it later, it is new in one of them, once, however many add it at the same
 * time. A test ends at the first layer that knows it, or at the last one.
 */
final class LayerPart {

  /** Elements that are looked for in all layers at once, times the layers. */
  private static final int MOST_AT_ONCE = 1 << 13;

  /**
   * What all parts share.
   *
   * @param inCopies counts elements that were tested with copies
   * @param inRedis and those tested in Redis
   */
  record Ways(SegmentJournals journals, FilterGrowth growth, Counter inCopies, Counter inRedis) {}

  private final Ways ways;

  private final Kind kind;
  private final Filter filter;
  private final int layer;

  private final ElementHashes hashes;

  /** Which of them. */
  private final int[] places;

  /** Where the first of all is among those of the request. */
  private final int first;

  private final SegmentCalls calls;
  private final ElementResults results;

  /** Whether a segment of the layer that was asked takes nothing more. */
  private volatile boolean isFull;

  private LayerPart(
      Ways ways,
      Kind kind,
      Filter filter,
      int layer,
      ElementHashes hashes,
      int[] places,
      int first,
      SegmentCalls calls,
      ElementResults results) {
    this.ways = ways;
    this.kind = kind;
    this.filter = filter;
    this.layer = layer;
    this.hashes = hashes;
    this.places = places;
    this.first = first;
    this.calls = calls;
    this.results = results;
  }

  /** All elements, in the first layer. */
  static LayerPart first(
      Ways ways,
      Kind kind,
      Filter filter,
      List<byte[]> elements,
      int first,
      SegmentCalls calls,
      ElementResults results) {
    var hashes = ElementHashes.of(filter.parameters().hashScheme(), elements);
    var all = HashedElements.allOf(hashes);
    return new LayerPart(ways, kind, filter, 0, hashes, all, first, calls, results);
  }

  /** Whether so many elements are looked for in all layers at once. */
  static boolean areAtOnce(Filter filter, int elements) {
    return (long) elements * filter.layers().size() <= MOST_AT_ONCE;
  }

  Uni<Void> work() {
    if (isLast() || !areAtOnce(filter, places.length)) {
      return workOnLayer();
    }
    return kind == Kind.ADD ? addBehindFullLayers() : testAllLayers();
  }

  /**
   * Asks all layers at once, which on a single Redis is one call. To look for few elements in each
   * takes less time than an answer.
   */
  private Uni<Void> testAllLayers() {
    var asked = new ArrayList<SegmentPart>();
    var last = this;
    for (var i = layer; i < filter.layers().size(); i++) {
      last = at(i);
      asked.addAll(last.segments(last.hash()));
    }
    return SegmentPart.workOn(asked).chain(last::goOn);
  }

  /**
   * Adds to the last layer, and at the same time asks those before, which refuse what they do not
   * know: so that is one call too. The last one is not given what others seem to know. Where a
   * segment before does not seem to be full, one layer is asked after the other.
   *
   * <p>What seems so is looked up in copies here, and may be of another history than Redis has by
   * now. Then an element is added to two layers, which does no harm, or to none, and is added
   * again.
   */
  private Uni<Void> addBehindFullLayers() {
    var known = new BitSet();
    var asked = new ArrayList<SegmentPart>();
    for (var i = layer; i + 1 < filter.layers().size(); i++) {
      var part = at(i);
      var hashed = part.hash();
      if (!part.seemsFull(hashed, known)) {
        return workOnLayer();
      }
      asked.addAll(part.segments(hashed));
    }
    var others = Arrays.stream(places).filter(place -> !known.get(place)).toArray();
    var last = of(filter, filter.layers().size() - 1, others);
    if (others.length > 0) {
      asked.addAll(last.segments(last.hash()));
    }
    return SegmentPart.workOn(asked).chain(last::goOn).chain(() -> again(known));
  }

  private boolean seemsFull(HashedElements hashed, BitSet known) {
    for (var segment : hashed.segments()) {
      var copy = ways.journals().copy(filter, segment);
      if (copy.isEmpty() || !copy.get().content().isFull()) {
        return false;
      }
      hashed.noteKnown(segment, copy.get(), known);
    }
    return true;
  }

  private Uni<Void> again(BitSet known) {
    var left = unsettled(known.stream());
    return left.length == 0 ? Uni.createFrom().voidItem() : of(filter, layer, left).workOnLayer();
  }

  /** Those of some places whose element was found or added in none of the layers asked. */
  private int[] unsettled(IntStream some) {
    return some.filter(place -> !results.isSettled(first + place)).toArray();
  }

  private LayerPart at(int other) {
    return of(filter, other, places);
  }

  /** Some of the elements, in a layer of the filter with what is known of it by now. */
  private LayerPart of(Filter now, int other, int[] some) {
    return new LayerPart(ways, kind, now, other, hashes, some, first, calls, results);
  }

  private HashedElements hash() {
    return HashedElements.of(filter.parameters(), filter.layers().get(layer), hashes, places);
  }

  private List<SegmentPart> segments(HashedElements hashed) {
    return hashed.segments().stream().map(it -> new SegmentPart(this, hashed, it)).toList();
  }

  private Uni<Void> workOnLayer() {
    var asked = ElementChunks.atOnce(places.length, segments(hash()));
    return filter.grows() ? asked.chain(this::goOn) : asked;
  }

  /**
   * Asks further layers for what is in none of those asked. Where there are some each is asked: a
   * segment that was full is no longer so after its node has lost its last writes. Behind the last
   * layer there may only be more if it is full.
   */
  private Uni<Void> goOn() {
    var left = unsettled(Arrays.stream(places));
    if (left.length == 0 || (isLast() && kind == Kind.TEST && !isFull)) {
      return Uni.createFrom().voidItem();
    }
    return withLayerBehind()
        .chain(
            grown -> {
              if (grown.isEmpty()) {
                results.noteFull();
                return Uni.createFrom().voidItem();
              }
              results.use(grown.get());
              return of(grown.get(), layer + 1, left).work();
            });
  }

  private Uni<Optional<Filter>> withLayerBehind() {
    if (!isLast()) {
      return Uni.createFrom().item(Optional.of(filter));
    }
    // Another instance may have opened one, and added there what is looked for.
    return kind == Kind.ADD ? ways.growth().grow(filter) : ways.growth().lookForMore(filter);
  }

  private boolean isLast() {
    return layer + 1 == filter.layers().size();
  }

  SegmentJournals journals() {
    return ways.journals();
  }

  Kind kind() {
    return kind;
  }

  Filter filter() {
    return filter;
  }

  SegmentCalls calls() {
    return calls;
  }

  /**
   * Notes what became of elements of a segment.
   *
   * @param sent how many there were
   * @param place of each of them
   * @param inCopy whether a copy has told it, or Redis
   */
  void note(SegmentResult result, int sent, IntUnaryOperator place, boolean inCopy) {
    results.note(result, sent, i -> first + place.applyAsInt(i));
    if (result.isFull()) {
      isFull = true;
    }
    if (kind == Kind.TEST && layer == 0) {
      (inCopy ? ways.inCopies() : ways.inRedis()).increment(result.flags().length);
    }
  }

  /**
   * What comes after the first element refused is refused as well, where elements have an order.
   */
  boolean isOver() {
    return results.isFull() && filter.segments() == 1;
  }
}
