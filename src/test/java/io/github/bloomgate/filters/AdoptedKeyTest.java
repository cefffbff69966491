package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.files.ExportedFilter;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Adopted filters where something else happens to them, or to their keys. */
class AdoptedKeyTest extends AdoptingInstances {

  @Test
  void whatTheOtherDidIsSeenAtOnce() {
    adopt(name, key, SHAPE);
    other.add(name, ELEMENTS);
    // Let go, and adopted under another key: those bits are not there.
    service.changes.delete(name, false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, other.elements.test(name, ELEMENTS));
    adopt(name, key + "2", SHAPE);
    assertEquals(0, await(other.elements.test(name, ELEMENTS)).trueCount());
    assertEquals(ELEMENTS.size(), await(other.elements.add(name, ELEMENTS)).trueCount());
    // A filter of another kind under the same name.
    service.changes.delete(name, false);
    service.create(name, TestInstance.shape(100_000, 3));
    assertEquals(0, await(other.elements.test(name, ELEMENTS)).trueCount());
    service.changes.delete(name, false);
    adopt(name, key, SHAPE);
    other.assertMaybe(name, ELEMENTS);
    // Another name, and back in another way.
    var to = name();
    service.renames.rename(name, to, false);
    assertFails(ErrorCode.FILTER_NOT_FOUND, other.elements.add(name, ELEMENTS));
    adopt(name, key + "3", SHAPE);
    assertEquals(0, await(other.elements.test(name, ELEMENTS)).trueCount());
    other.assertMaybe(to, ELEMENTS);
    service.changes.clear(to);
    assertEquals(0, await(other.elements.test(to, ELEMENTS)).trueCount());
    other.assertCountsAreExact(to);
  }

  private interface Harm {
    void to(String state, String bits, String config);
  }

  private static Map<String, Harm> harms() {
    var harms = new LinkedHashMap<String, Harm>();
    harms.put("FILTER_DAMAGED bits", (state, bits, config) -> service.redis("DEL", bits));
    harms.put("FILTER_DAMAGED config", (state, bits, config) -> service.redis("DEL", config));
    harms.put(
        "FILTER_DAMAGED state",
        (state, bits, config) -> service.redis("HDEL", state, "insertions"));
    harms.put(
        "FILTER_DAMAGED generation",
        (state, bits, config) -> service.redis("HDEL", state, "generation"));
    harms.put("FILTER_NOT_FOUND", (state, bits, config) -> service.redis("DEL", state));
    harms.put(
        "KEY_MISMATCH bits", (state, bits, config) -> service.redis("SETBIT", bits, "10008", "1"));
    harms.put(
        "KEY_MISMATCH config",
        (state, bits, config) -> service.redis("HSET", config, "hashIterations", "6"));
    harms.put("WRONG_KEY_TYPE bits", (state, bits, config) -> list(bits));
    harms.put("WRONG_KEY_TYPE config", (state, bits, config) -> list(config));
    harms.put("WRONG_KEY_TYPE state", (state, bits, config) -> list(state));
    return harms;
  }

  private static void list(String key) {
    service.redis("DEL", key);
    service.redis("RPUSH", key, "theirs");
  }

  @TestFactory
  Stream<DynamicTest> everyHarmIsAnErrorToEverybody() {
    return harms().entrySet().stream()
        .map(
            harm -> dynamicTest(harm.getKey(), () -> assertErrors(harm.getKey(), harm.getValue())));
  }

  private static void assertErrors(String what, Harm harm) {
    var name = name();
    var key = "lib of " + name;
    var filter = adopt(name, key, SHAPE);
    var to = name();
    var into = name();
    service.create(into, TestInstance.shape(1_000, 3));
    for (var instance : List.of(service, other)) {
      instance.add(name, ELEMENTS);
      instance.assertMaybe(name, ELEMENTS);
    }
    harm.to(TestStores.keys(name).get(0), key, "{" + key + "}:config");
    var code = ErrorCode.valueOf(what.split(" ", -1)[0]);
    for (var instance : List.of(service, other)) {
      for (var question :
          List.<Executable>of(
              () -> instance.test(name, ELEMENTS),
              () -> instance.add(name, ELEMENTS),
              () -> instance.descriptions.describe(name),
              () -> instance.changes.clear(name),
              () -> instance.changes.expire(name, Optional.empty()),
              () -> instance.renames.rename(name, to, false),
              () -> instance.exports.begin(name, FileFormat.BLOOMGATE),
              () ->
                  instance.copies.copy(
                      name, to, false, Optional.empty(), Quota.NONE, TestInstance.STAYS),
              () ->
                  instance.merges.merge(
                      name, List.of(into), OptionalDouble.empty(), TestInstance.STAYS))) {
        assertFails(code, question);
      }
    }
    if (code != ErrorCode.FILTER_NOT_FOUND) {
      assertFails(code, () -> adoption(name, key, SHAPE));
      var page = other.descriptions.list(List.of(name.value()), Optional.empty(), 10);
      assertEquals(Optional.empty(), page.entries().get(0).filter());
    }
    assertEquals(List.of(), service.keysWith(to.value()));
    assertEquals(filter.name(), name);
  }

  @Test
  void whatIsMadeOfAnotherFilterMustHaveTheShapeThatTheLibraryKnows() throws IOException {
    adopt(name, key, SHAPE);
    service.add(name, ELEMENTS);
    var unlike = name();
    service.create(unlike, shape(10_002, 5));
    var alike = name();
    service.create(alike, SHAPE);
    service.add(alike, elements("other ", 50));
    var before = service.redis("GET", key).toString();
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () ->
            other.copies.copy(
                unlike, name, true, Optional.empty(), Quota.NONE, TestInstance.STAYS));
    assertFails(
        ErrorCode.INCOMPATIBLE_FILTERS,
        () ->
            other.merges.merge(name, List.of(unlike), OptionalDouble.empty(), TestInstance.STAYS));
    var file = export(unlike);
    var refused =
        assertThrows(
            BloomException.class,
            () ->
                other.imports.load(
                    name,
                    FileDescription.of(FileFormat.BLOOMGATE),
                    new ByteArrayInputStream(file),
                    Quota.NONE));
    assertEquals(ErrorCode.INVALID_REQUEST, refused.code());
    assertEquals(before, service.redis("GET", key).toString());
    assertEquals(Optional.empty(), other.describe(name).filter().next());

    other.merges.merge(name, List.of(alike), OptionalDouble.empty(), TestInstance.STAYS);
    service.assertMaybe(name, ELEMENTS);
    service.assertMaybe(name, elements("other ", 50));
    other.copies.copy(alike, name, true, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    service.fold(service.describe(alike).filter());
    assertArrayEquals(bytes(TestStores.keys(alike).get(1)), bytes(key));
    other.imports.load(
        name,
        FileDescription.of(FileFormat.BLOOMGATE),
        new ByteArrayInputStream(export(alike)),
        Quota.NONE);
    service.fold(service.describe(alike).filter());
    assertArrayEquals(bytes(TestStores.keys(alike).get(1)), bytes(key));
    assertEquals(key, service.describe(name).redisKey());
    assertEquals("10001", service.redis("HGET", config, "size").toString());
  }

  @Test
  void aShortBitmapIsExportedInFull() throws IOException {
    adopt(name, key, SHAPE);
    service.redis("SETBIT", key, "17", "1");
    var file = ExportedFilter.read(export(name));
    assertEquals(1_251, file.bitmaps().get(0).length);
    assertEquals(0x40, file.bitmaps().get(0)[2]);
    var to = name();
    other.imports.load(
        to,
        FileDescription.of(FileFormat.BLOOMGATE),
        new ByteArrayInputStream(export(name)),
        Quota.NONE);
    assertFalse(other.describe(to).filter().isAdopted());
    assertEquals(1, other.describe(to).statistics().bitsSet());
  }

  @Test
  void aDeadlineOfTheLibraryThatPassesIsADamageAndNotNo() {
    adopt(name, key, SHAPE);
    service.add(name, ELEMENTS);
    service.redis("PEXPIRE", key, "1");
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(() -> service.redis("EXISTS", key).toInteger() == 0);
    assertFails(ErrorCode.FILTER_DAMAGED, service.elements.test(name, ELEMENTS));
    assertFails(ErrorCode.FILTER_DAMAGED, other.elements.add(name, ELEMENTS));
  }

  private static byte[] bytes(String key) {
    return service.redis("GET", key).toBytes();
  }

  private static byte[] export(FilterName name) throws IOException {
    var out = new ByteArrayOutputStream();
    other.exports.begin(name, FileFormat.BLOOMGATE).writeTo(out);
    return out.toByteArray();
  }
}
