package io.github.bloomgate.fuzz;

import static io.github.bloomgate.support.Bytes.joined;
import static io.github.bloomgate.support.Bytes.zipped;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.support.TestExtent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs every reader of untrusted bytes on valid and mutated input: the corpus that coverage-guided
 * fuzzing has found, and mutations of it. {@code -Dtest.fuzz-inputs=10000000} makes more mutations.
 * {@code mvn -Pfuzz test} searches with Jazzer.
 */
@Tag("fuzz")
class ReaderFuzzTest {

  private static final long SEED = Long.getLong("test.fuzz-seed", System.nanoTime());
  private static final long INPUTS = TestExtent.of("test.fuzz-inputs", 3_000L, 300_000L);
  private static final Path CORPUS = Path.of("src/test/resources/fuzz");

  private interface Target {
    void read(byte[] input) throws IOException;
  }

  @Test
  void filesOfFilters() throws IOException {
    var seeds = new ArrayList<byte[]>();
    for (var choice = 0; choice < 30; choice++) {
      for (var file : files(choice % 5)) {
        seeds.add(joined(new byte[] {(byte) choice}, file));
      }
    }
    run("import", seeds, ImportTarget::fuzzerTestOneInput);
  }

  @Test
  void lines() throws IOException {
    var seeds = new ArrayList<byte[]>();
    var texts =
        List.of(
            "a\nb\r\n\nc",
            "\"a\"\n \"\\u00e9\\n\"\t\r\n\"\u00e9\"",
            "6162\nFF\n",
            "YQ==\nYWI\n-_-_\n",
            "\ufeffa\n");
    for (var choice = 0; choice < 12; choice++) {
      for (var text : texts) {
        var content = choice / 6 == 1 ? zipped(text.getBytes(UTF_8)) : text.getBytes(UTF_8);
        seeds.add(joined(new byte[] {(byte) choice, (byte) (choice * 3)}, content));
      }
    }
    seeds.add(joined(new byte[] {0, 100}, ("x".repeat(65_537) + "\n").getBytes(UTF_8)));
    seeds.add(joined(new byte[] {0, 0}, "\n".repeat(3000).getBytes(UTF_8)));
    run("lines", seeds, LinesTarget::fuzzerTestOneInput);
  }

  @Test
  void zips() throws IOException {
    var one = zipped("content".getBytes(UTF_8));
    var full = "1f8b081e000000000003" + "0200aabb" + "6e616d6500" + "636f6d6d656e7400" + "1234";
    var seeds =
        List.of(
            one,
            joined(one, one),
            joined(HexFormat.of().parseHex(full), Arrays.copyOfRange(one, 10, one.length)),
            zipped(new byte[100_000]));
    run("gunzip", seeds, GunzipTarget::fuzzerTestOneInput);
  }

  private static void run(String name, List<byte[]> seeds, Target target) throws IOException {
    System.out.printf("fuzz %s: -Dtest.fuzz-seed=%d%n", name, SEED);
    var inputs = new ArrayList<>(seeds);
    try (var files = Files.list(CORPUS.resolve(name))) {
      for (var file : files.sorted().toList()) {
        inputs.add(Files.readAllBytes(file));
      }
    }
    assertTrue(inputs.size() > seeds.size(), "no corpus of " + name);
    for (var input : inputs) {
      check(target, input, "as it is");
    }
    for (var i = 0L; i < INPUTS; i++) {
      var dice = new Dice(SEED, i);
      check(
          target,
          mutated(dice.of(inputs), inputs, dice),
          "-Dtest.fuzz-seed=%d, input %d".formatted(SEED, i));
    }
  }

  private static void check(Target target, byte[] input, String which) {
    try {
      target.read(input);
    } catch (IOException | RuntimeException | AssertionError mistake) {
      throw new AssertionError(
          "%s: %s"
              .formatted(which, HexFormat.of().formatHex(input, 0, Math.min(2000, input.length))),
          mistake);
    }
  }

  private static byte[] mutated(byte[] input, List<byte[]> all, Dice dice) {
    var bytes = input.clone();
    for (var times = 1 + dice.length(8); times > 0; times--) {
      bytes = mutatedOnce(bytes, all, dice);
    }
    return bytes;
  }

  private static byte[] mutatedOnce(byte[] bytes, List<byte[]> all, Dice dice) {
    if (bytes.length == 0) {
      return dice.bytes(1 + dice.below(10));
    }
    var result = bytes.clone();
    var at = dice.percent(60) ? dice.below(Math.min(80, bytes.length)) : dice.below(bytes.length);
    switch (dice.below(9)) {
      case 0, 1 -> result[at] ^= (byte) (1 << dice.below(8));
      case 2 ->
          result[at] =
              dice.of((byte) 0, (byte) -1, (byte) 127, (byte) '\n', (byte) '"', (byte) '\r');
      case 3 -> result[at] = (byte) dice.below(256);
      case 4 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 5 -> {
        return joined(bytes, dice.bytes(1 + dice.length(100)));
      }
      case 6 -> {
        return joined(
            Arrays.copyOf(bytes, at),
            dice.bytes(dice.length(9)),
            Arrays.copyOfRange(bytes, at, bytes.length));
      }
      case 7 -> {
        var other = dice.of(all);
        return joined(
            Arrays.copyOf(bytes, at),
            Arrays.copyOfRange(other, Math.min(at, other.length), other.length));
      }
      default -> {
        if (at + Long.BYTES <= result.length) {
          var number =
              dice.of(
                  0L,
                  1L,
                  -1L,
                  Long.MIN_VALUE,
                  1L << 32,
                  1L << 36,
                  1L << 50,
                  Double.doubleToLongBits(Double.NaN),
                  dice.any());
          ByteBuffer.wrap(result)
              .order(dice.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN))
              .putLong(at, number);
        }
      }
    }
    return result;
  }

  /** Small valid files of a format. */
  private static List<byte[]> files(int format) throws IOException {
    return switch (format) {
      case 0 ->
          List.of(
              written(FileFormat.BLOOMGATE, shape("bloomgate-1", 640)),
              written(FileFormat.BLOOMGATE, shape("guava-mitz-64", 128)),
              golden("grown"),
              golden("counting"),
              golden("window"));
      case 1 -> List.of(written(FileFormat.GUAVA, shape("guava-mitz-32", 192)), guava());
      case 2 -> List.of(written(FileFormat.BITS_AND_BLOOMS, shape("bits-and-blooms", 100)));
      case 3 -> List.of(new byte[] {(byte) 0x80}, new byte[98]);
      default -> List.of(redisBloom());
    };
  }

  private static byte[] golden(String which) throws IOException {
    return Files.readAllBytes(
        Path.of("src/test/resources/portable/golden-%s.bloom".formatted(which)));
  }

  private static FilterParameters shape(String scheme, long bits) {
    return FilterParameters.forShape(
        HashSchemes.named(scheme).orElseThrow(), bits, 3, WhenFull.ACCEPT);
  }

  private static byte[] written(FileFormat format, FilterParameters parameters) throws IOException {
    var out = new ByteArrayOutputStream();
    var moment = Instant.parse("2026-11-21T14:00:00.123Z");
    var header =
        new FileHeader(new FilterName("a"), FilterPlan.of(parameters), 1, Optional.of(moment));
    var writer = format.write(header, out);
    var bitmap = new byte[(int) parameters.shape().segmentBytes()];
    bitmap[0] = 0x55;
    writer.write(bitmap);
    writer.endSegment(2, true);
    writer.end();
    return out.toByteArray();
  }

  private static byte[] guava() throws IOException {
    var filter = BloomFilter.create(Funnels.integerFunnel(), 20, 0.1);
    filter.put(1);
    var out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** One layer of two words with two items of three bits. */
  private static byte[] redisBloom() {
    return ByteBuffer.allocate(20 + 53 + 16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(2)
        .putInt(1)
        .putInt(5)
        .putInt(2)
        .putLong(16)
        .putLong(128)
        .putLong(2)
        .putDouble(0.1)
        .putDouble(4.3)
        .putInt(3)
        .putLong(20)
        .put((byte) 0)
        .put(new byte[] {0x15, 0, 0x15})
        .array();
  }
}
