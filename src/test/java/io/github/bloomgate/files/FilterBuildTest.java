package io.github.bloomgate.files;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.sized;
import static io.github.bloomgate.support.TestInstance.trueCount;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** A built file has the content of a filter to which the service adds the same elements. */
@OnRedis
class FilterBuildTest {

  private static final String SECRET = "b7".repeat(32);

  private static TestRedis redis;
  private static TestInstance service;

  private static final Random RANDOM = seeded();

  private static Random seeded() {
    var seed = new Random().nextLong();
    System.out.println("FilterBuildTest seed " + seed);
    return new Random(seed);
  }

  private static byte[] file(FilterBuild build) {
    try {
      var out = new ByteArrayOutputStream();
      build.writeTo(out);
      return out.toByteArray();
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** In batches of random sizes, which must not matter. */
  private static byte[] built(FilterParameters parameters, List<byte[]> elements) {
    try (var build = new FilterBuild(parameters, Long.MAX_VALUE)) {
      for (var from = 0; from < elements.size(); ) {
        var to = Math.min(elements.size(), from + 1 + RANDOM.nextInt(1000));
        assertEquals(OptionalInt.empty(), build.add(elements.subList(from, to)));
        from = to;
      }
      return file(build);
    }
  }

  private static byte[] exported(TestInstance instance, FilterName name) {
    try {
      var out = new ByteArrayOutputStream();
      instance.exports.begin(name, FileFormat.BLOOMGATE, false).writeTo(out);
      return out.toByteArray();
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** All segments, without the name before them and the digest after them. */
  private static byte[] segments(byte[] file) {
    var json = ByteBuffer.wrap(file).getInt(12);
    return Arrays.copyOfRange(file, 16 + json + 4, file.length - 32);
  }

  private static FilterName loaded(TestInstance instance, byte[] file) {
    var name = name();
    instance.imports.load(
        name, FileDescription.of(FileFormat.BLOOMGATE), new ByteArrayInputStream(file), Quota.NONE);
    return name;
  }

  private static void assertSameAnswers(TestInstance instance, FilterName one, FilterName other) {
    var asked = elements("absent", 5_000);
    assertArrayEquals(instance.test(one, asked), instance.test(other, asked));
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"ADOPTED", "BY_TIME", "BY_INSERTIONS"})
  void itHasTheBytesOfAFilterWithTheSameElements(AnyKind kind) {
    var name = kind.create(service);
    // Some twice.
    var elements = new ArrayList<>(elements("in", 3_000));
    elements.addAll(elements("in", 200));
    service.add(name, elements);

    var file = built(kind.parameters(), elements);

    assertArrayEquals(segments(exported(service, name)), segments(file));
    var copy = loaded(service, file);
    service.assertMaybe(copy, elements);
    assertSameAnswers(service, name, copy);
    assertEquals(
        service.describe(name).statistics(), service.describe(copy).statistics(), "the counts");
    assertArrayEquals(file, built(kind.parameters(), elements), "the same bytes again");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 40_000})
  void aDenseFilterHasTheSameFalsePositives(int n) {
    var parameters = sized(n, 0.2, WhenFull.ACCEPT);
    var name = service.create(name(), parameters).name();
    var elements = elements("in", 2 * n);
    service.add(name, elements);

    var copy = loaded(service, built(parameters, elements));

    assertSameAnswers(service, name, copy);
    assertArrayEquals(segments(exported(service, name)), segments(exported(service, copy)));
  }

  @Test
  void aKeyedFileHasAKeyOfItsOwnOrThatOfAFilter() {
    try (var keyed = TestInstance.withSecrets(redis, SECRET)) {
      var scheme = HashSchemes.named("bloomgate-1-keyed").orElseThrow();
      var parameters = sized(1_000, 0.01, WhenFull.ACCEPT).withHashScheme(scheme);
      var live = keyed.create(name(), parameters);
      keyed.add(live.name(), elements("in", 500));

      var file = built(live.parameters(), elements("in", 500));
      assertArrayEquals(segments(exported(keyed, live.name())), segments(file));
      assertSameAnswers(keyed, live.name(), loaded(keyed, file));

      var own = parameters.withHashScheme(HashSecrets.of(SECRET).forContent(scheme));
      var other = loaded(keyed, built(own, elements("in", 500)));
      keyed.assertMaybe(other, elements("in", 500));
      assertEquals(own, keyed.describe(other).live().parameters());
    }
  }

  @Test
  void itMergesIntoAFilter() {
    var parameters = sized(10_000, 0.01, WhenFull.ACCEPT);
    var name = service.create(name(), parameters).name();
    service.add(name, elements("before", 1_000));
    var copy = loaded(service, built(parameters, elements("in", 1_000)));

    service.merges.merge(name, List.of(copy), OptionalDouble.empty(), Client.SERVICE);

    service.assertMaybe(name, elements("before", 1_000));
    service.assertMaybe(name, elements("in", 1_000));
  }

  @Test
  void theFirstElementWithoutRoomIsNamed() {
    try (var build = new FilterBuild(sized(100, 0.01, WhenFull.REJECT), Long.MAX_VALUE)) {
      assertEquals(OptionalInt.empty(), build.add(elements("in", 99)));
      var known = elements("in", 50);
      assertEquals(OptionalInt.empty(), build.add(known));
      var excess = build.add(elements("more", 20));
      assertTrue(excess.isPresent() && excess.getAsInt() >= 1, "one fits");
      assertEquals(100, build.added());
      assertEquals(100, build.plan().expectedInsertions());
    }
  }

  @Test
  void memoryIsLimitedAndKindsWithoutAFileAreRefused() {
    assertFails(
        ErrorCode.LIMIT_EXCEEDED,
        () -> new FilterBuild(sized(10_000_000, 0.01, WhenFull.ACCEPT), 1 << 20));
    for (var kind : List.of(AnyKind.BY_TIME, AnyKind.BY_INSERTIONS, AnyKind.ADOPTED)) {
      assertFails(
          ErrorCode.INVALID_REQUEST, () -> new FilterBuild(kind.parameters(), Long.MAX_VALUE));
    }
    try (var build = new FilterBuild(AnyKind.GROWING.parameters(), 5_000)) {
      assertFails(ErrorCode.LIMIT_EXCEEDED, () -> build.add(elements("in", 10_000)));
    }
    assertEquals(
        0,
        trueCount(
            service.test(
                loaded(service, built(sized(100, 0.01, WhenFull.ACCEPT), List.of())),
                elements("absent", 10))));
  }
}
