package io.github.bloomgate.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.ErrorCode;
import io.github.bloomgate.filter.Durability;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.service.HeldBitmaps.Held;
import io.github.bloomgate.store.Coalescer;
import io.github.bloomgate.store.MergeReply;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Adds many elements to a segment at once: sets their bits in a copy of its bitmap, which tells
 * which are new, and puts that in the place of the one in Redis if nobody has added to it since.
 * Otherwise it begins anew, and gives way where others go on adding.
 */
@ApplicationScoped
@Startup
class SegmentUnions {

  private static final int MAX_ATTEMPTS = 3;

  /** How long a segment to which others add is left alone. */
  private static final Duration GIVING_WAY = Duration.ofMillis(500);

  private static final int MAX_GIVEN_WAY = 10_000;
  private static final byte[] NOTHING = {};

  /** Most elements of several requests that are added together, which take about 10 ms. */
  private static final int MAX_ELEMENTS = 1 << 17;

  /*
   * What the two ways cost Redis and this service together. An element of 7 bits costs Redis 4.9
   * microseconds of CPU and this service 1.2. A bitmap of 2 MiB costs Redis 0.4 ms to be read and
   * 0.6 ms to be merged, and this service about 3 ms: 0.0025 microseconds a byte. A network of 10
   * Gbit/s takes 0.001 more, and replicas and the append-only file are to be spared as well.
   */
  private static final double MICROS_PER_BIT = 0.9;
  private static final double MICROS_PER_UNION = 200;
  private static final double MICROS_PER_BYTE = 0.005;

  private final SegmentStore segments;
  private final double microsPerByte;
  private final Executor workers;
  private final HeldBitmaps held;
  private final MemoryBudget memory;
  private final boolean isOn;
  private final Map<MergeReply.Outcome, Counter> outcomes = new EnumMap<>(MergeReply.Outcome.class);

  /** One at a time for a segment: each begins with what the last one wrote. */
  private final Coalescer<Key, UnionOffer, Outcome> lanes;

  private final Cache<Key, Boolean> busy =
      Caffeine.newBuilder().maximumSize(MAX_GIVEN_WAY).expireAfterWrite(GIVING_WAY).build();

  @Inject
  SegmentUnions(
      SegmentStore segments, BloomgateConfig config, MemoryBudget memory, MeterRegistry metrics) {
    this(segments, config.speed().bulk(), MICROS_PER_BYTE, OwnContext.workers(), memory, metrics);
  }

  /**
   * Unions where bytes cost so much.
   *
   * @param isOn whether there are any
   * @param workers who sets bits
   */
  SegmentUnions(
      SegmentStore segments,
      boolean isOn,
      double microsPerByte,
      Executor workers,
      MemoryBudget memory,
      MeterRegistry metrics) {
    this.segments = segments;
    this.microsPerByte = microsPerByte;
    this.workers = workers;
    this.isOn = isOn;
    this.lanes = new Coalescer<>(1, key -> MAX_ELEMENTS, UnionOffer::count, this::addTogether);
    this.memory = memory;
    this.held = new HeldBitmaps(memory);
    for (var outcome : MergeReply.Outcome.values()) {
      outcomes.put(
          outcome,
          Counter.builder("bloom.bulk.merges")
              .description("Bitmaps merged into segments, by what became of them")
              .tag("result", outcome.name().toLowerCase(Locale.ROOT))
              .register(metrics));
    }
  }

  /** Whether a union is cheaper than setting the bits of so many elements of one segment. */
  boolean pay(Filter filter, int elements) {
    return canPay(filter)
        && costOfBits(filter, elements)
            > MICROS_PER_UNION + filter.shape().segmentBytes() * microsPerByte;
  }

  /** Whether so many elements of one segment are enough to wait for others. */
  boolean takes(Filter filter, int elements) {
    return canPay(filter) && costOfBits(filter, elements) > MICROS_PER_UNION;
  }

  private boolean canPay(Filter filter) {
    return isOn
        && !filter.isAdopted()
        && filter.shape().segmentBytes() <= SegmentStore.MAX_MERGE_BYTES;
  }

  private static double costOfBits(Filter filter, int elements) {
    return elements * filter.shape().numHashFunctions() * MICROS_PER_BIT;
  }

  /**
   * Adds the elements of a request to a segment, with those of others that come while one such call
   * is under way.
   *
   * @return empty if it was done bit by bit
   */
  Uni<Optional<Union>> add(UnionOffer offer) {
    return takes(offer.filter(), offer.count())
        ? lanes.send(new Key(offer), offer).onItem().transformToUni(Outcome::toUni)
        : offer.bitByBit().get().replaceWith(Optional.empty());
  }

  /** No work for an event loop: some hundred thousand bits are set here. */
  private Uni<List<Outcome>> addTogether(Key key, List<UnionOffer> offers) {
    var filter = offers.get(0).filter();
    var elements = offers.stream().mapToInt(UnionOffer::count).sum();
    return Uni.createFrom()
        .deferred(
            () ->
                pay(filter, elements) && busy.getIfPresent(key) == null
                    ? inRoom(
                        filter, () -> attemptOrGiveWay(key, offers), Optional.<List<Union>>empty())
                    : Uni.createFrom().item(Optional.<List<Union>>empty()))
        .runSubscriptionOn(workers)
        .chain(
            unions ->
                unions
                    .map(all -> Uni.createFrom().item(all.stream().map(Outcome::of).toList()))
                    .orElseGet(() -> addBits(offers)));
  }

  private Uni<List<Outcome>> addBits(List<UnionOffer> offers) {
    // What is held is out of date then.
    held.take(offers.get(0).filter(), offers.get(0).segment());
    return Uni.join()
        .all(
            offers.stream()
                .map(
                    offer ->
                        offer
                            .bitByBit()
                            .get()
                            .onItemOrFailure()
                            .transform((done, failure) -> new Outcome(Optional.empty(), failure)))
                .toList())
        .andFailFast();
  }

  private Uni<Optional<List<Union>>> attemptOrGiveWay(Key key, List<UnionOffer> offers) {
    return attempt(key, offers, 1)
        // A slot of a cluster on its way to another node takes single bits only.
        .onFailure(SegmentUnions::isRefused)
        .recoverWithItem(
            () -> {
              busy.put(key, true);
              return Optional.empty();
            });
  }

  /**
   * Tests the elements of a segment against its bitmap, which is read for it: as it is at one
   * moment from now on.
   *
   * @param first index of the first of {@code elements} in
   * @param maybe for each, whether it might be contained
   * @return false if it has to be done bit by bit
   */
  Uni<Boolean> test(
      Filter filter,
      int segment,
      HashedElements elements,
      int first,
      boolean[] maybe,
      SegmentCalls calls) {
    return pay(filter, elements.count(segment))
        ? inRoom(
            filter,
            () ->
                read(filter, segment, calls)
                    .invoke(copy -> elements.testIn(copy.bits(), segment, first, maybe))
                    .replaceWith(true),
            false)
        : Uni.createFrom().item(false);
  }

  private static boolean isRefused(Throwable failure) {
    return failure instanceof BloomException error && error.code() == ErrorCode.STORE_UNAVAILABLE;
  }

  /** Many requests at once would hold a bitmap each: those too many do without. */
  private <T> Uni<T> inRoom(Filter filter, Supplier<Uni<T>> work, T otherwise) {
    // One that is read or changed, and one on its way to Redis.
    var bytes = 2 * filter.shape().segmentBytes();
    return Uni.createFrom()
        .deferred(
            () ->
                memory.take(Use.BITMAPS, bytes)
                    ? Uni.createFrom()
                        .deferred(work::get)
                        .onTermination()
                        .invoke(() -> memory.giveBack(Use.BITMAPS, bytes))
                    : Uni.createFrom().item(otherwise));
  }

  private Uni<Optional<List<Union>>> attempt(Key key, List<UnionOffer> offers, int attempt) {
    var first = offers.get(0);
    return held.take(first.filter(), first.segment())
        .map(copy -> merge(key, offers, copy, attempt))
        .orElseGet(
            () ->
                read(first.filter(), first.segment(), first.calls())
                    .chain(
                        copy ->
                            copy.version().isKnown()
                                ? merge(key, offers, copy, attempt)
                                // Written before there were marks; the first bits leave one.
                                : Uni.createFrom().item(Optional.empty())));
  }

  private Uni<Held> read(Filter filter, int segment, SegmentCalls calls) {
    var length = (int) filter.shape().segmentBytes();
    return calls
        .on(
            segment,
            () ->
                segments
                    .read(filter, segment, 0, length)
                    .map(read -> new Held(read.bytes(), read.version())))
        .emitOn(workers);
  }

  private Uni<Optional<List<Union>>> merge(
      Key key, List<UnionOffer> offers, Held copy, int attempt) {
    var first = offers.get(0);
    var segment = first.segment();
    var changed = new ArrayList<boolean[]>(offers.size());
    var insertions = 0L;
    for (var offer : offers) {
      var flags = new boolean[offer.count()];
      insertions += offer.elements().addTo(copy.bits(), segment, flags);
      changed.add(flags);
    }
    var added = insertions;
    // Then it is enough that the segment still is as it was read; but replicas confirm only writes.
    var isKnown = added == 0 && key.durability() == Durability.PRIMARY;
    var bits = isKnown ? NOTHING : copy.bits();
    return first
        .calls()
        .on(
            segment,
            () ->
                segments.merge(
                    first.filter(), segment, copy.version(), bits, added, key.durability()))
        .emitOn(workers)
        .chain(
            reply -> {
              outcomes.get(reply.outcome()).increment();
              return switch (reply.outcome()) {
                case MERGED -> {
                  held.put(first.filter(), segment, new Held(copy.bits(), reply.version()));
                  yield Uni.createFrom()
                      .item(
                          Optional.of(
                              changed.stream()
                                  .map(flags -> new Union(flags, reply.next(), reply.replicas()))
                                  .toList()));
                }
                case FULL -> Uni.createFrom().item(Optional.empty());
                case CHANGED -> {
                  if (attempt < MAX_ATTEMPTS) {
                    yield attempt(key, offers, attempt + 1);
                  }
                  busy.put(key, true);
                  yield Uni.createFrom().item(Optional.empty());
                }
              };
            });
  }

  /**
   * What became of the elements of a segment.
   *
   * @param changed for each of them, in order, whether it changed a bit
   * @param next the generation that an open rebuild loads, as the segment knew at that moment
   * @param replicas how many have it; negative if that was not waited for
   */
  record Union(boolean[] changed, Optional<Generation> next, int replicas) {}

  /**
   * What offers must have in common to share a bitmap. A renamed filter keeps its generation, and
   * those who know its old name must learn that it has gone: so the name counts.
   */
  private record Key(
      FilterName name,
      Generation generation,
      FilterShape shape,
      int segment,
      Durability durability) {
    private Key(UnionOffer offer) {
      this(
          offer.filter().name(),
          offer.filter().generation(),
          offer.filter().shape(),
          offer.segment(),
          offer.calls().durability());
    }
  }

  /** What became of one offer of several. */
  private record Outcome(Optional<Union> union, Throwable failure) {

    private static Outcome of(Union union) {
      return new Outcome(Optional.of(union), null);
    }

    private Uni<Optional<Union>> toUni() {
      return failure == null ? Uni.createFrom().item(union) : Uni.createFrom().failure(failure);
    }
  }
}
