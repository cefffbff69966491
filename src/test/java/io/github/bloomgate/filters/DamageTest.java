package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Law 2: what is left of a filter of which Redis lost a part answers no question. */
class DamageTest {

  private static final List<byte[]> ELEMENTS = elements("element ", 100);

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance other;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    service.close();
    other.close();
    redis.close();
  }

  private static Map<String, BiConsumer<String, String>> harms() {
    var harms = new LinkedHashMap<String, BiConsumer<String, String>>();
    harms.put("state lost", (state, bits) -> service.redis("DEL", state));
    harms.put("bits lost", (state, bits) -> service.redis("DEL", bits));
    harms.put("bits cut", (state, bits) -> service.redis("SET", bits, "short"));
    harms.put("a count lost", (state, bits) -> service.redis("HDEL", state, "bitsSet"));
    harms.put(
        "a count not whole", (state, bits) -> service.redis("HSET", state, "insertions", "1.5"));
    return harms;
  }

  @TestFactory
  Stream<DynamicTest> everyQuestionIsAnErrorUntilTheFilterIsDeleted() {
    var places = new LinkedHashMap<String, FilterParameters>();
    places.put("the only segment", TestInstance.shape(10_000, 7));
    places.put("the first segment", SEVERAL);
    places.put("a later segment", SEVERAL);
    return places.entrySet().stream()
        .flatMap(
            place ->
                harms().entrySet().stream()
                    .map(
                        harm ->
                            dynamicTest(
                                harm.getKey() + " of " + place.getKey(),
                                () ->
                                    assertDamage(
                                        place.getValue(),
                                        place.getKey().equals("a later segment") ? 1 : 0,
                                        harm.getKey(),
                                        harm.getValue()))));
  }

  private static void assertDamage(
      FilterParameters parameters, int segment, String what, BiConsumer<String, String> harm) {
    var name = name();
    var filter = service.create(name, parameters);
    service.add(name, ELEMENTS);
    other.assertMaybe(name, ELEMENTS);
    var keys = TestStores.keys(filter, segment);
    harm.accept(keys.get(0), keys.get(1));

    // A fraction of an insertion is no harm to elements, but it cannot be told.
    var told = what.equals("a count not whole");
    for (var instance : List.of(service, other)) {
      assertDamaged(() -> instance.descriptions.describe(name));
      if (!told) {
        assertDamaged(() -> instance.test(name, ELEMENTS));
        assertDamaged(() -> instance.add(name, ELEMENTS));
      }
    }
    if (!told) {
      assertDamaged(() -> service.changes.clear(name));
      if (segment > 0) {
        // The first segment was cleared; that the other is missing is no reason to forget it.
        assertDamaged(() -> service.test(name, ELEMENTS));
      }
      assertDamaged(() -> service.changes.expire(name, Optional.empty()), segment > 0);
      assertDamaged(() -> service.test(name, ELEMENTS));
    }
    assertDamaged(() -> service.creations.create(name, parameters, Optional.empty(), Quota.NONE));
    var listed = service.descriptions.list(List.of(name.value()), Optional.empty(), 10);
    assertEquals(List.of(name), listed.entries().stream().map(FilterPage.Entry::name).toList());

    service.changes.delete(name, false);
    service.assertNothingLeft(filter);
    other.create(name, parameters);
    assertEquals(0, await(service.elements.test(name, ELEMENTS)).trueCount());
    assertEquals(ELEMENTS.size(), await(service.elements.add(name, ELEMENTS)).trueCount());
    other.assertMaybe(name, ELEMENTS);
    other.assertCountsAreExact(name);
    assertEquals(List.of(), service.keysWith(filter.generation().incarnation()));
  }

  private static void assertDamaged(Executable result) {
    assertFails(ErrorCode.FILTER_DAMAGED, result);
  }

  /** A change may have found nothing to do with the segment that is missing. */
  private static void assertDamaged(Runnable change, boolean orDone) {
    try {
      change.run();
      assertTrue(orDone, "was done");
    } catch (BloomException failure) {
      assertEquals(ErrorCode.FILTER_DAMAGED, failure.code());
    }
  }

  @Test
  void aDamagedFilterIsReplacedWhole() {
    for (var segment : List.of(0, 1)) {
      var name = name();
      var damaged = service.create(name, SEVERAL);
      service.redis("DEL", TestStores.keys(damaged, segment).get(0));
      var from = name();
      service.create(from, TestInstance.shape(10_000, 7));
      service.add(from, ELEMENTS);
      service.renames.rename(from, name, true);
      other.assertMaybe(name, ELEMENTS);
      assertEquals(List.of(), service.keysWith(damaged.generation().incarnation()));
    }
  }

  @Test
  void aForeignKeyIsLeftAloneAndNamed() {
    for (var parameters : List.of(TestInstance.shape(10_000, 7), SEVERAL)) {
      for (var number : List.of(0, 1, 2)) {
        var name = name();
        var key = TestStores.keys(name).get(number);
        service.redis("RPUSH", key, "theirs");
        assertFails(
            ErrorCode.WRONG_KEY_TYPE,
            () -> service.creations.create(name, parameters, Optional.empty(), Quota.NONE));
        assertFails(ErrorCode.WRONG_KEY_TYPE, () -> service.changes.delete(name, false));
        if (number < 2) {
          assertFails(ErrorCode.WRONG_KEY_TYPE, service.elements.test(name, ELEMENTS));
          assertFails(ErrorCode.WRONG_KEY_TYPE, service.elements.add(name, ELEMENTS));
          assertFails(ErrorCode.WRONG_KEY_TYPE, () -> service.descriptions.describe(name));
          assertFails(ErrorCode.WRONG_KEY_TYPE, () -> service.changes.clear(name));
        }
        var from = name();
        service.create(from, parameters);
        assertFails(ErrorCode.WRONG_KEY_TYPE, () -> service.renames.rename(from, name, true));
        service.add(from, ELEMENTS);
        assertEquals(List.of(key), service.keysWith("{" + name + "}"));
        assertEquals("list", service.redis("TYPE", key).toString());
      }
    }
  }

  /** A segment that cannot follow must not keep the others from following. */
  @Test
  void theOtherSegmentsFollowWhereOneIsForeign() {
    var name = name();
    var filter = service.create(name, SEVERAL);
    service.add(name, ELEMENTS);
    var keys = TestStores.keys(filter, 1);
    service.redis("DEL", keys.get(1));
    service.redis("RPUSH", keys.get(1), "theirs");
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> service.changes.clear(name));
    assertEquals(0, service.redis("BITCOUNT", TestStores.keys(filter, 2).get(1)).toInteger());
    assertFails(ErrorCode.WRONG_KEY_TYPE, service.elements.test(name, ELEMENTS));
  }

  @Test
  void aRenameThatFindsNothingLeavesItsTargetInTheCatalogue() {
    var to = name();
    service.create(to, TestInstance.shape(10_000, 7));
    var watched = new ArrayList<CompletableFuture<?>>();
    for (var i = 0; i < 20; i++) {
      watched.add(
          service.begin(
              () -> {
                assertFails(
                    ErrorCode.FILTER_NOT_FOUND, () -> service.renames.rename(name(), to, true));
                var page = other.descriptions.list(List.of(to.value()), Optional.empty(), 10);
                assertEquals(List.of(to), names(page));
              }));
    }
    watched.forEach(CompletableFuture::join);
  }

  private static List<FilterName> names(FilterPage page) {
    return page.entries().stream().map(FilterPage.Entry::name).toList();
  }

  @Test
  void anEntryWithoutAFilterIsDroppedAndAFilterIsNot() {
    var there = service.create(new FilterName("page" + System.nanoTime() + "a"), SEVERAL);
    var gone = new FilterName(there.name() + "b");
    service.stores.catalogue().add(gone);
    var page = service.descriptions.list(List.of(there.name().value()), Optional.empty(), 10);
    assertEquals(List.of(there.name()), names(page));
    assertEquals(
        Optional.of(there), page.entries().get(0).filter().map(DamageTest::withoutPending));
    assertEquals(null, service.redis("ZSCORE", TestStores.catalogueKey(), gone.value()));
  }

  private static Filter withoutPending(Filter filter) {
    assertEquals(Filter.Pending.NOTHING, filter.pending());
    return filter;
  }
}
