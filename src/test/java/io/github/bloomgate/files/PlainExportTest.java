package io.github.bloomgate.files;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.counting;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.trueCount;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FileContent;
import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counting filters can be exported as filters without counters. */
@OnRedis
class PlainExportTest {

  private static TestRedis redis;
  private static TestInstance service;
  @OnRedis.Special private static TestInstance other;

  @BeforeAll
  static void start() {
    other = TestInstance.withoutCopies(redis);
  }

  /**
   * A filter with a twice, b once, c added and removed, and one element above the counters' limit.
   */
  private static FilterName filled(long n) {
    var name = service.create(name(), counting(n)).name();
    service.add(name, List.of(element("a"), element("b"), element("a"), element("c")));
    service.add(name, Collections.nCopies(20, element("often")));
    service.remove(name, List.of(element("c")));
    return name;
  }

  private static byte[] export(FilterName name, boolean isPlain) throws IOException {
    var out = new ByteArrayOutputStream();
    var export = service.exports.begin(name, FileFormat.BLOOMGATE, isPlain);
    export.writeTo(out);
    assertEquals(export.length(), out.size());
    return out.toByteArray();
  }

  private static Description load(byte[] file) {
    return service.imports.load(
        name(),
        FileDescription.of(FileFormat.BLOOMGATE),
        new ByteArrayInputStream(file),
        Quota.NONE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 300_000})
  void aPlainFileHasABitForEachCounter(long n) throws IOException {
    var name = filled(n);
    service.add(name, elements("in", 500));
    var original = service.describe(name);
    var file = export(name, true);
    var exported = FileContent.read(file);
    assertEquals(original.live().parameters().withBits(), exported.header().parameters());
    assertTrue(elements("in", 500).stream().allMatch(exported::mightContain));
    assertFalse(exported.mightContain(element("c")));

    var loaded = load(file);
    var plain = loaded.live().name();
    assertFalse(loaded.live().isCounting());
    assertEquals(original.statistics().bitsSet(), loaded.statistics().bitsSet());
    assertTrue(Math.abs(503 - loaded.statistics().insertions()) <= 10);
    other.assertMaybe(plain, elements("in", 500));
    other.assertMaybe(plain, List.of(element("a"), element("b"), element("often")));
    assertEquals(0, trueCount(service.test(plain, List.of(element("c")))));
    assertEquals(500, trueCount(service.add(plain, elements("more", 500))));
    service.assertCountsAreExact(plain);
    assertFails(ErrorCode.INVALID_REQUEST, () -> service.remove(plain, List.of(element("a"))));

    // Its segments match the counting filter's, even after another export.
    var copy = load(export(plain, false));
    assertEquals(loaded.live().parameters(), copy.live().parameters());
    other.assertMaybe(copy.live().name(), elements("more", 500));
  }

  /** Its bits are the same as in a filter with the same parameters. */
  @Test
  void aPlainFileOfOneSegmentHasTheBitsOfItsScheme() throws IOException {
    var name = filled(1_000);
    var alike = service.create(name(), TestInstance.sized(1_000, 1e-10, WhenFull.ACCEPT)).name();
    service.add(alike, List.of(element("a"), element("b"), element("often")));
    var file = export(name, true);
    assertEquals(1, file[11]);
    var exported = FileContent.read(file).bitmaps().get(0);
    assertArrayEquals(FileContent.read(export(alike, false)).bitmaps().get(0), exported);
    var bitmap = new ByteArrayOutputStream();
    service.exports.begin(name, FileFormat.REDIS_BITMAP, true).writeTo(bitmap);
    assertArrayEquals(exported, bitmap.toByteArray());
  }

  @Test
  void aPlainExportOfAPlainFilterChangesNothing() throws IOException {
    var name = service.create(name(), TestInstance.shape(6400, 3)).name();
    service.add(name, elements("in", 100));
    assertArrayEquals(
        FileContent.read(export(name, false)).bitmaps().get(0),
        FileContent.read(export(name, true)).bitmaps().get(0));
  }
}
