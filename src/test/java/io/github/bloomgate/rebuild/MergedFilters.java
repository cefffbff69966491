package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Filters that are merged, and the bits that their union has. */
abstract class MergedFilters {

  static final FilterParameters SMALL = TestInstance.shape(100_000, 5);
  static final OptionalDouble ANY_RATE = OptionalDouble.empty();

  static TestRedis redis;
  static TestInstance service;
  static TestInstance other;
  static TestInstance later;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
    later = new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
  }

  @AfterAll
  static void stop() {
    later.close();
    other.close();
    service.close();
    redis.close();
  }

  static Stream<FilterParameters> shapes() {
    return Stream.of(SMALL, SEVERAL);
  }

  static long insertions(FilterShape shape, long bitsSet, long... counts) {
    var all = IntStream.range(0, counts.length).mapToObj(i -> new SegmentCounts(1, counts[i]));
    return BitmapUnion.insertions(shape, all.toList(), bitsSet);
  }

  static FilterName filter(FilterParameters parameters, String prefix, int count) {
    var name = name();
    service.create(name, parameters);
    service.add(name, elements(prefix, count));
    return name;
  }

  static List<byte[]> union(List<Filter> filters) {
    var segments = filters.get(0).shape().segments();
    return IntStream.range(0, segments)
        .mapToObj(
            segment -> {
              var union = bits(filters.get(0), segment);
              for (var filter : filters) {
                var bits = bits(filter, segment);
                for (var i = 0; i < union.length; i++) {
                  union[i] |= bits[i];
                }
              }
              return union;
            })
        .toList();
  }

  static byte[] bits(Filter filter, int segment) {
    service.fold(filter);
    return redis.command("GET", TestStores.keys(filter, segment).get(1)).toBytes();
  }
}
