package io.github.bloomgate.files;

import static io.github.bloomgate.files.FileExchange.export;
import static io.github.bloomgate.files.FileExchange.load;
import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestCounters.counting;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.turn;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FilterFileReader;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Filters that grow, forget and count, of segments on several nodes of a cluster, go into files and
 * come back; and from a single Redis to a cluster and back.
 */
@Tag("topology")
class ClusterExportTest {

  private static final int SLICES = 4;
  private static final int EACH = 200;
  private static final int ADDED = 2_000;

  private static TestCluster cluster;
  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;
  private static TestInstance single;

  @BeforeAll
  static void start() {
    cluster = TestCluster.started();
    redis = TestRedis.started();
    one = onCluster();
    other = onCluster();
    single = new TestInstance(redis);
  }

  private static TestInstance onCluster() {
    return TestInstance.ofCluster(cluster.node(0), cluster.options(), Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    single.close();
    other.close();
    one.close();
    redis.close();
    cluster.close();
  }

  /** Where a file is made and where it is read. */
  enum Way {
    ON_THE_CLUSTER(true, true),
    TO_THE_CLUSTER(false, true),
    FROM_THE_CLUSTER(true, false);

    private final boolean fromCluster;
    private final boolean toCluster;

    Way(boolean fromCluster, boolean toCluster) {
      this.fromCluster = fromCluster;
      this.toCluster = toCluster;
    }

    TestInstance from() {
      return fromCluster ? one : single;
    }

    /** Another instance, with copies of its own, where there are two. */
    TestInstance exporting() {
      return fromCluster ? other : single;
    }

    TestInstance to() {
      return toCluster ? one : single;
    }

    void turnOriginal(Filter filter) {
      pass(fromCluster, filter);
    }

    void turnLoaded(Filter filter) {
      pass(toCluster, filter);
    }

    private static void pass(boolean onCluster, Filter filter) {
      if (onCluster) {
        turn(cluster, filter, 1);
      } else {
        turn(single, filter, 1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileHasTheCounters(Way way) throws IOException {
    var filter = SpreadFilters.create(cluster, way.from(), counting(300_000));
    fill(way.from(), filter.name());
    var original = way.from().describe(filter.name());
    var file = export(way.exporting(), filter.name());
    assertTrue(ExportedFilter.read(file).isOfMoments());

    var loaded = load(way.to(), name(), file);
    assertEquals(original.filter().parameters(), loaded.filter().parameters());
    assertEquals(original.statistics(), loaded.statistics());
    var again = loaded.filter().name();
    assertCounts(way.to(), again, 2, 1, 0, 15);
    assertEquals(ADDED / 2, count(way.to().remove(again, some().subList(0, ADDED / 2))));
    assertEquals(ADDED / 2, count(way.to().test(again, some())));
    way.exporting().assertMaybe(filter.name(), some());
    assertExact(way.to(), again);
  }

  /** Slices of the copy end as those of the original would. */
  @ParameterizedTest
  @EnumSource
  void eachElementIsAsOldInAFile(Way way) throws IOException {
    var filter = SpreadFilters.create(cluster, way.from(), sized(1_000_000, years(SLICES, true)));
    for (var slice = 0; slice < 7; slice++) {
      way.from().add(filter.name(), elements("slice " + slice + " ", EACH));
      way.turnOriginal(filter);
    }
    var original = way.from().describe(filter.name());
    var loaded = load(way.to(), name(), export(way.exporting(), filter.name()));
    assertEquals(FilterPlan.like(original.filter()), FilterPlan.like(loaded.filter()));
    assertEquals(original.statistics(), loaded.statistics());
    assertExact(way.to(), loaded.filter().name());
    for (var passed = 0; passed <= SLICES; passed++) {
      for (var slice = 0; slice < 7; slice++) {
        assertEquals(
            slice >= 7 - SLICES + passed ? EACH : 0,
            count(way.to().test(loaded.filter().name(), elements("slice " + slice + " ", EACH))),
            "of slice " + slice + " when " + passed + " have passed");
      }
      way.turnLoaded(loaded.filter());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileHasAllLayers(Way way) throws IOException {
    var growth = new Growth(2, Growth.MAX_SIZE_BYTES);
    var parameters = FilterParameters.growing(HashSchemes.nativeScheme(), 500, 1e-6, growth);
    var name = SpreadFilters.create(cluster, way.from(), parameters, 3).name();
    way.from().add(name, some());
    var original = way.from().describe(name);
    assertEquals(3, original.layers().size());

    var loaded = load(way.to(), name(), export(way.exporting(), name));
    assertEquals(original.statistics(), loaded.statistics());
    assertEquals(original.layers(), loaded.layers());
    var again = loaded.filter().name();
    way.to().assertMaybe(again, some());
    way.to().add(again, elements("more", 3 * ADDED));
    way.to().assertMaybe(again, some());
    way.to().assertMaybe(again, elements("more", 3 * ADDED));
    assertEquals(5, way.to().describe(again).layers().size());
    assertExact(way.to(), again);
  }

  /** The file takes the place of what is there, and what is added meanwhile is there too. */
  @Test
  void whatIsAddedMeanwhileIsCountedToo() throws IOException {
    var from = one.create(name(), counting(300_000)).name();
    fill(one, from);
    var reader = new FilterFileReader(new ByteArrayInputStream(export(one, from)));
    var name = one.create(name(), counting(300_000)).name();
    other.add(name, elements("old", EACH));
    one.replacements.createOrReplace(
        name,
        FilterPlan.of(counting(300_000)),
        next -> {
          other.add(name, List.of(element("a"), element("c")));
          reader.read(new SegmentLoad(next, one.loads));
          one.add(name, List.of(element("a"), element("c")));
        },
        NewDeadline.KEEP,
        Quota.NONE);
    assertCounts(other, name, 4, 1, 2, 15);
    other.assertMaybe(name, some());
    assertEquals(0, count(one.test(name, elements("old", EACH))));
    assertExact(one, name);
  }

  /** Segments on several nodes are of several moments, but what was answered before is in all. */
  @ParameterizedTest
  @EnumSource
  void aFileHasWhatWasAnsweredWhileOthersGoOn(Kind kind) throws Exception {
    var filter = SpreadFilters.create(cluster, one, kind.parameters());
    for (var round = 0; round < 5; round++) {
      var stays = elements("stays " + round + " ", EACH);
      other.add(filter.name(), stays);
      var goes = elements("goes " + round + " ", EACH);
      var busy =
          one.begin(
              () -> {
                other.add(filter.name(), goes);
                if (kind == Kind.COUNTS) {
                  one.remove(filter.name(), goes);
                } else {
                  turn(cluster, filter, 1);
                  one.add(filter.name(), elements("later", EACH));
                }
              });
      var file = export(one, filter.name());
      busy.join();
      var loaded = load(single, name(), file).filter();
      single.assertMaybe(loaded.name(), stays);
      single.assertCountsAreExact(loaded.name());
      single.changes.delete(loaded.name(), false);
    }
  }

  /** What others can do to a filter while it is exported. */
  enum Kind {
    COUNTS,
    FORGETS;

    FilterParameters parameters() {
      return this == COUNTS ? counting(300_000) : sized(1_000_000, years(64, true));
    }
  }

  private static List<byte[]> some() {
    return elements("some ", ADDED);
  }

  /** Elements of all segments, and some that are there twice, once, no more, and too often. */
  private static void fill(TestInstance service, FilterName name) {
    service.add(name, some());
    service.add(name, List.of(element("a"), element("b"), element("a"), element("c")));
    service.add(name, Collections.nCopies(20, element("often")));
    service.remove(name, List.of(element("c")));
  }

  private static void assertCounts(TestInstance service, FilterName name, int... expected) {
    var asked = List.of(element("a"), element("b"), element("c"), element("often"));
    var counts = service.count(name, asked);
    assertArrayEquals(expected, IntStream.range(0, counts.length).map(i -> counts[i]).toArray());
  }

  /** Law 4; of a filter on the cluster, on the single Redis, to which a file of it is brought. */
  private static void assertExact(TestInstance service, FilterName name) throws IOException {
    var exact =
        service == single ? name : load(single, name(), export(service, name)).filter().name();
    single.assertCountsAreExact(exact);
    assertEquals(service.describe(name).statistics(), single.describe(exact).statistics());
  }
}
