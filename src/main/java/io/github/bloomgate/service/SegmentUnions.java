package io.github.bloomgate.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.HeapShare;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.service.HeldBitmaps.Held;
import io.github.bloomgate.store.MergeReply;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

  /*
   * What the two ways cost Redis and this service together. An element of 7 bits costs Redis 4.9
   * microseconds of CPU and this service 1.2. A bitmap of 2 MiB costs Redis 0.4 ms to be read and
   * 1.3 ms to be merged, and this service about 3 ms: 0.0025 microseconds a byte. A network of 1
   * Gbit/s takes 0.008 more, and replicas and the append-only file are to be spared as well.
   */
  private static final double MICROS_PER_BIT = 0.9;
  private static final double MICROS_PER_UNION = 200;
  private static final double MICROS_PER_BYTE = 0.01;

  private final SegmentStore segments;
  private final double microsPerByte;
  private final HeldBitmaps held;
  private final BulkRoom room;
  private final boolean isOn;
  private final Map<MergeReply.Outcome, Counter> outcomes = new EnumMap<>(MergeReply.Outcome.class);
  private final Cache<Key, Boolean> busy =
      Caffeine.newBuilder().maximumSize(MAX_GIVEN_WAY).expireAfterWrite(GIVING_WAY).build();

  @Inject
  SegmentUnions(SegmentStore segments, BloomgateConfig config, MeterRegistry metrics) {
    this(segments, HeapShare.of(config.speed().bulkMaxSize()), MICROS_PER_BYTE, metrics);
  }

  /**
   * Unions that hold so much, where bytes cost so much.
   *
   * @param bytes the most that is held; 0 for no unions
   */
  SegmentUnions(SegmentStore segments, long bytes, double microsPerByte, MeterRegistry metrics) {
    this.segments = segments;
    this.microsPerByte = microsPerByte;
    this.isOn = bytes > 0;
    // The other half is for the elements themselves.
    this.held = new HeldBitmaps(bytes / 2);
    this.room = new BulkRoom(bytes / 2);
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
    var shape = filter.shape();
    return isOn
        && !filter.isAdopted()
        && shape.segmentBytes() <= SegmentStore.MAX_MERGE_BYTES
        && elements * shape.numHashFunctions() * MICROS_PER_BIT
            > MICROS_PER_UNION + shape.segmentBytes() * microsPerByte;
  }

  /**
   * Adds the elements of a segment.
   *
   * @return empty if it has to be done bit by bit; then nothing was changed
   */
  Uni<Optional<Union>> add(
      Filter filter, int segment, HashedElements elements, SegmentCalls calls) {
    var key = new Key(filter.generation(), segment);
    return pay(filter, elements.count(segment)) && busy.getIfPresent(key) == null
        ? inRoom(filter, () -> attempt(filter, segment, elements, calls, 1), Optional.empty())
        : Uni.createFrom().item(Optional.empty());
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

  /** Many requests at once would hold a bitmap each: those too many do without. */
  private <T> Uni<T> inRoom(Filter filter, Supplier<Uni<T>> work, T otherwise) {
    // One that is read or changed, and one on its way to Redis.
    var bytes = 2 * filter.shape().segmentBytes();
    return Uni.createFrom()
        .deferred(
            () ->
                room.take(bytes)
                    ? Uni.createFrom()
                        .deferred(work::get)
                        .onTermination()
                        .invoke(() -> room.giveBack(bytes))
                    : Uni.createFrom().item(otherwise));
  }

  private Uni<Optional<Union>> attempt(
      Filter filter, int segment, HashedElements elements, SegmentCalls calls, int attempt) {
    return held.take(filter, segment)
        .map(copy -> merge(filter, segment, elements, calls, copy, attempt))
        .orElseGet(
            () ->
                read(filter, segment, calls)
                    .chain(copy -> merge(filter, segment, elements, calls, copy, attempt)));
  }

  private Uni<Held> read(Filter filter, int segment, SegmentCalls calls) {
    var length = (int) filter.shape().segmentBytes();
    return calls
        .on(
            segment,
            () -> {
              var epoch = segments.epoch();
              return segments
                  .read(filter, segment, 0, length)
                  .map(read -> new Held(read.bytes(), read.counts().bitsSet(), epoch));
            })
        .emitOn(Infrastructure.getDefaultWorkerPool());
  }

  private Uni<Optional<Union>> merge(
      Filter filter,
      int segment,
      HashedElements elements,
      SegmentCalls calls,
      Held copy,
      int attempt) {
    var changed = new boolean[elements.count(segment)];
    var insertions = elements.addTo(copy.bits(), segment, changed);
    var epoch = segments.epoch();
    // Equal counts are enough only as long as no write was lost; the bits themselves always are.
    var isCounted = insertions == 0 && epoch.isPresent() && epoch.equals(copy.epoch());
    var bits = isCounted ? NOTHING : copy.bits();
    return calls
        .on(segment, () -> segments.merge(filter, segment, copy.bitsSet(), bits, insertions))
        .chain(
            reply -> {
              var isLost = isCounted && !segments.epoch().equals(epoch);
              var outcome = isLost ? MergeReply.Outcome.CHANGED : reply.outcome();
              outcomes.get(outcome).increment();
              return switch (outcome) {
                case MERGED -> {
                  held.put(filter, segment, new Held(copy.bits(), reply.bitsSet(), epoch));
                  yield Uni.createFrom().item(Optional.of(new Union(changed, reply.next())));
                }
                case FULL -> Uni.createFrom().item(Optional.empty());
                case CHANGED -> {
                  if (attempt < MAX_ATTEMPTS) {
                    yield attempt(filter, segment, elements, calls, attempt + 1);
                  }
                  busy.put(new Key(filter.generation(), segment), true);
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
   */
  record Union(boolean[] changed, Optional<Generation> next) {}

  private record Key(Generation generation, int segment) {}
}
