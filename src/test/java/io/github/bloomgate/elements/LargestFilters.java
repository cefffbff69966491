package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.redis.ScriptWork;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Filters as large as a call ever meets, and what uses most of their bits. */
abstract class LargestFilters {

  static final int MANY = ElementService.MAX_ELEMENTS;
  static final Duration AN_HOUR = Duration.ofHours(1);

  /** As large as a segment of a native filter can be. */
  static final FilterParameters LARGEST = shape(1L << 24, 7);

  /** A library's bitmap of 64 MiB. */
  private static final long HUGE = 1L << 29;

  static TestRedis redis;
  static TestInstance service;
  static TestInstance plain;
  static TestLink link;
  static ScriptWork work;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    plain = TestInstance.withoutCopies(redis);
    link = new TestLink(redis.options());
    work = new ScriptWork(redis);
  }

  @AfterAll
  static void stop() {
    work.close();
    link.close();
    plain.close();
    service.close();
    redis.close();
  }

  static void useBits() {
    for (var parameters : List.of(LARGEST, shape(1L << 24, 255))) {
      var name = plain.create(name(), parameters).name();
      var some =
          elements(
              "e",
              MANY * LARGEST.shape().numHashFunctions() / parameters.shape().numHashFunctions());
      plain.add(name, some);
      plain.assertMaybe(name, some);
    }
    for (var slices : List.of(Window.MIN_SLICES, Window.MAX_SLICES)) {
      var filter = windowed(plain, slices);
      for (var turn = 0; turn <= slices; turn++) {
        plain.add(filter.name(), elements("t" + turn + " ", 20));
        TestWindows.turn(plain, filter, 1);
      }
      TestWindows.turn(plain, filter, slices);
      plain.add(filter.name(), elements("e", 200));
    }
    useCounters(plain);
  }

  /** Few counters for an element and many, in the largest segment. */
  static void useCounters(TestInstance instance) {
    for (var p : List.of(0.25, 0.01, 1e-12)) {
      var filter = counting(instance, p);
      for (var batch = 0; batch < 3; batch++) {
        instance.add(filter.name(), elements("e" + batch + " ", 1_000));
        instance.test(filter.name(), elements("e", 1_000));
        instance.count(filter.name(), elements("e" + batch + " ", 1_000));
        instance.remove(filter.name(), elements("e" + batch + " ", 500));
      }
    }
  }

  private static Filter counting(TestInstance instance, double p) {
    var bits = Shapes.shapeFor(HashSchemes.nativeScheme(), 1_000, p).bitSize();
    var parameters =
        FilterParameters.counting(
            HashSchemes.nativeScheme(), 1_000 * ((1L << 22) / bits) - 10_000, p, WhenFull.ACCEPT);
    assertEquals(1, parameters.shape().segments());
    return instance.create(name(), parameters);
  }

  /** The largest segment, of few long slices and of many short ones. */
  private static Filter windowed(TestInstance instance, int slices) {
    var window = TestWindows.years(slices, true);
    var parameters = FilterParameters.windowed(HashSchemes.nativeScheme(), 800_000, 0.01, window);
    assertEquals(1, parameters.shape().segments());
    return instance.create(name(), parameters);
  }

  static void useGrowth() {
    var name = service.create(name(), GrowTest.growing(100, 0.01, Growth.MAX_SIZE_BYTES)).name();
    service.add(name, elements("e", MANY));
  }

  static void useBitmaps() {
    var filter = filled();
    var segments = service.stores.segments();
    var bytes =
        new byte[(int) Math.min(SegmentStore.MAX_UNION_BYTES, filter.shape().segmentBytes())];
    new Random(1).nextBytes(bytes);
    await(segments.union(filter, 0, 0, bytes, 1));
    await(segments.union(filter, 0, 0, bytes, 1));
    service.copies.copy(
        filter.name(), name(), false, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    var other = filled();
    service.merges.merge(
        filter.name(), List.of(other.name()), OptionalDouble.empty(), TestInstance.STAYS);
    export(filter.name());
    useAdopted();
  }

  static void useJournal() {
    for (var parameters : List.of(LARGEST, shape(1L << 24, 255))) {
      var filter = service.create(name(), parameters);
      service.add(filter.name(), elements("e", MANY));
      for (var batch = 0; batch < 60; batch++) {
        service.add(filter.name(), elements("j" + batch + " ", 300));
      }
      await(service.stores.journals().replay(filter, 0, true));
    }
    for (var slices : List.of(Window.MIN_SLICES, Window.MAX_SLICES)) {
      var filter = windowed(service, slices);
      service.add(filter.name(), elements("e", MANY));
      for (var batch = 0; batch < 3; batch++) {
        service.add(filter.name(), elements("j" + batch + " ", 50));
        TestWindows.turn(service, filter, 1);
      }
      await(service.stores.journals().replay(filter, 0, true));
    }
    for (var p : List.of(0.25, 1e-12)) {
      var filter = counting(service, p);
      service.add(filter.name(), elements("e", MANY));
      for (var batch = 0; batch < 20; batch++) {
        service.add(filter.name(), elements("j" + batch + " ", 300));
        service.remove(filter.name(), elements("j" + batch + " ", 300));
      }
      await(service.stores.journals().replay(filter, 0, true));
    }
  }

  static Filter filled() {
    var filter = service.create(name(), LARGEST);
    service.add(filter.name(), elements("a", MANY));
    service.add(filter.name(), elements("b", MANY));
    return filter;
  }

  private static void export(FilterName name) {
    try {
      service.exports.begin(name, FileFormat.BLOOMGATE).writeTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void useAdopted() {
    var scheme = HashSchemes.named("redisson").orElseThrow();
    var parameters = FilterParameters.forShape(scheme, HUGE, 3, WhenFull.ACCEPT);
    var name = name();
    var key = "lib of " + name;
    redis.command("SETBIT", key, Long.toString(HUGE - 1), "1");
    redis.command(
        "HSET", "{" + key + "}:config", "size", Long.toString(HUGE), "hashIterations", "3");
    service.adoptions.adopt(name, key, scheme, Optional.empty(), Optional.empty(), Quota.NONE);
    assertTrue(service.describe(name).filter().parameters().shape().equals(parameters.shape()));
    export(name);
    service.changes.delete(name, true);
  }
}
