package io.github.bloomgate.libraries;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters of Guava's {@code BloomFilter}, compared with Guava itself. */
@QuarkusTest
@Tag("slow")
class GuavaFiltersTest extends LibraryFilters {

  private static final List<String> SCHEMES = List.of("guava-mitz-32", "guava-mitz-64");

  private final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  GuavaFiltersTest() {
    super("guava-mitz-32", "guava-mitz-64");
  }

  /**
   * Elements of a type, as Guava takes them and as the service does.
   *
   * @param bytes what the funnel writes
   */
  private record Kind<T>(
      String name,
      Funnel<? super T> funnel,
      Function<SplittableRandom, T> element,
      Function<T, byte[]> bytes) {

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Kind<?>> kinds() {
    return Stream.of(
        new Kind<>(
            "strings", Funnels.stringFunnel(UTF_8), GuavaFiltersTest::text, GuavaFiltersTest::utf8),
        new Kind<>("bytes", Funnels.byteArrayFunnel(), r -> utf8(text(r)), bytes -> bytes),
        new Kind<>(
            "chars",
            Funnels.unencodedCharsFunnel(),
            GuavaFiltersTest::text,
            text -> text.getBytes(UTF_16LE)),
        new Kind<>(
            "integers",
            Funnels.integerFunnel(),
            SplittableRandom::nextInt,
            i -> little(4).putInt(i).array()),
        new Kind<>(
            "longs",
            Funnels.longFunnel(),
            SplittableRandom::nextLong,
            i -> little(8).putLong(i).array()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T> void bitsThatWereCopiedToRedisAreAdopted(Kind<T> kind) throws IOException {
    for (var scheme : SCHEMES) {
      var filled = new Filled<>(kind, empty(scheme, kind), random);
      var adopted = AdoptedFilter.of(redis);
      for (long offset : filled.setBits()) {
        redis.run("SETBIT", adopted.key(), offset, "1");
      }
      adopted.created(
          Map.of(
              "hashScheme", scheme, "bitSize", filled.bitSize(), "numHashFunctions", filled.k()));
      assertEquals(
          filled.answers(filled.members),
          adopted.test(filled.bytes(filled.members)),
          () -> seed(scheme));
      assertEquals(
          filled.answers(filled.absent),
          adopted.test(filled.bytes(filled.absent)),
          () -> seed(scheme));
      assertEquals(filled.setBits().size(), adopted.describe().path("bitsSet").asInt());
      adopted.delete(true);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <T> void whatIsAddedHereHasTheBitsOfGuava(Kind<T> kind) throws IOException {
    for (var scheme : SCHEMES) {
      var filled = new Filled<>(kind, empty(scheme, kind), random);
      var adopted = AdoptedFilter.of(redis);
      adopted.created(
          Map.of(
              "hashScheme", scheme, "bitSize", filled.bitSize(), "numHashFunctions", filled.k()));
      adopted.add(filled.bytes(filled.members));
      assertEquals(filled.setBits(), bitsOf(adopted.bits()), () -> seed(scheme));
      adopted.delete(true);
    }
  }

  /** A stream takes the place of the shared bits, and the shared bits are a stream for Guava. */
  @ParameterizedTest
  @MethodSource("kinds")
  <T> void streamsGoInAndOutOfASharedKey(Kind<T> kind) throws IOException {
    for (var scheme : SCHEMES) {
      var filled = new Filled<>(kind, empty(scheme, kind), random);
      var adopted = AdoptedFilter.of(redis);
      adopted.created(
          Map.of(
              "hashScheme", scheme, "bitSize", filled.bitSize(), "numHashFunctions", filled.k()));
      adopted.add("replaced");
      FilterFiles.load(adopted.name(), "guava", written(filled.filter).array()).statusCode(200);
      assertEquals(filled.setBits(), bitsOf(adopted.bits()), () -> seed(scheme));

      var more = filled.absent.subList(0, 20);
      adopted.add(filled.bytes(more));
      var stream = FilterFiles.exported(adopted.name(), "guava");
      var theirs = BloomFilter.readFrom(new ByteArrayInputStream(stream), funnel(kind));
      more.forEach(filled.filter::put);
      assertArrayEquals(written(filled.filter).array(), stream, () -> seed(scheme));
      assertTrue(more.stream().allMatch(theirs::mightContain), () -> seed(scheme));
      adopted.delete(true);
    }
  }

  /** The shape for n and p matches Guava's {@code create}. */
  @Test
  void theShapeMatchesGuava() throws IOException {
    for (int round = 0; round < 20; round++) {
      int n = random.nextInt(1_000, 100_000);
      double p = Math.pow(10, -random.nextDouble(1, 9));
      var written = written(BloomFilter.create(Funnels.byteArrayFunnel(), n, p));
      var adopted = AdoptedFilter.of(redis);
      var description =
          adopted.created(
              Map.of(
                  "hashScheme",
                  "guava-mitz-64",
                  "expectedInsertions",
                  n,
                  "falsePositiveProbability",
                  p));
      assertEquals(
          written.getInt(2) * 64L, description.path("bitSize").asLong(), () -> seed(n + " " + p));
      assertEquals(
          written.get(1), description.path("numHashFunctions").asInt(), () -> seed(n + " " + p));
      adopted.delete(true);
    }
  }

  @Test
  void shapesGuavaDoesNotSupportAreRefused() {
    for (var scheme : SCHEMES) {
      for (var parameters :
          List.<Map<String, Object>>of(
              Map.of("bitSize", (1L << 32) + 64, "numHashFunctions", 5),
              Map.of("bitSize", 1024, "numHashFunctions", 256),
              Map.of("bitSize", 1024))) {
        assertRefused(scheme, parameters);
      }
    }
  }

  /** A filter of Guava's with some elements, and some that it does not have. */
  private static final class Filled<T> {

    private final Kind<T> kind;
    private final BloomFilter<T> filter;
    private final List<T> members;
    private final List<T> absent;

    Filled(Kind<T> kind, BloomFilter<T> filter, SplittableRandom random) {
      this.kind = kind;
      this.filter = filter;
      members = IntStream.range(0, 60).mapToObj(i -> kind.element.apply(random)).toList();
      absent = IntStream.range(0, 300).mapToObj(i -> kind.element.apply(random)).toList();
      members.forEach(filter::put);
    }

    List<Boolean> answers(List<T> elements) {
      return elements.stream().map(filter::mightContain).toList();
    }

    Elements bytes(List<T> elements) {
      return Elements.ofBytes(elements.stream().map(kind.bytes).toList());
    }

    int k() throws IOException {
      return written(filter).get(1);
    }

    long bitSize() throws IOException {
      return written(filter).getInt(2) * 64L;
    }

    /** Guava counts the bits of a word from the lowest. */
    List<Long> setBits() throws IOException {
      var written = written(filter);
      var offsets = new ArrayList<Long>();
      for (long offset = 0; offset < bitSize(); offset++) {
        if ((written.getLong(6 + (int) (offset / 64 * 8)) >>> (offset % 64) & 1) == 1) {
          offsets.add(offset);
        }
      }
      return offsets;
    }
  }

  /**
   * An empty filter, which the test fills to a half. No public method of Guava creates one of the
   * older strategy, but it can read one.
   */
  private <T> BloomFilter<T> empty(String scheme, Kind<T> kind) throws IOException {
    int words = random.nextInt(6, 12);
    var stream = ByteBuffer.allocate(6 + 8 * words);
    stream.put((byte) SCHEMES.indexOf(scheme)).put((byte) random.nextInt(3, 9)).putInt(words);
    return BloomFilter.readFrom(new ByteArrayInputStream(stream.array()), funnel(kind));
  }

  private static <T> Funnel<T> funnel(Kind<T> kind) {
    return (element, sink) -> kind.funnel.funnel(element, sink);
  }

  /** A byte for the strategy, one for k, four for the number of words, and the words. */
  private static ByteBuffer written(BloomFilter<?> filter) throws IOException {
    var stream = new ByteArrayOutputStream();
    filter.writeTo(stream);
    return ByteBuffer.wrap(stream.toByteArray());
  }

  private static List<Long> bitsOf(byte[] bitmap) {
    var offsets = new ArrayList<Long>();
    for (long offset = 0; offset < bitmap.length * 8L; offset++) {
      if ((bitmap[(int) (offset / 8)] & 0x80 >> (offset % 8)) != 0) {
        offsets.add(offset);
      }
    }
    return offsets;
  }

  private static ByteBuffer little(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(SplittableRandom random) {
    return Texts.next(random);
  }

  private String seed(String row) {
    return "seed " + seed + ": " + row;
  }
}
