package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The elements that all contenders add and test: item-0000000000 and so on. */
final class Elements {

  /** The number of elements in a batch. */
  static final int BATCH = 1000;

  /** {@link Requests} replaces this with the number of the request, so that the element is new. */
  static final String SERIAL = "##########";

  private static final long SEED = 42;
  private static final int LINE_LENGTH = "item-0000000000\n".length();

  private Elements() {}

  static String element(long index) {
    return String.format(Locale.ROOT, "item-%010d", index);
  }

  /** Random elements, with every other one below {@code known} and the rest above. */
  static List<String> halfKnown(int count, int known) {
    var random = new SplittableRandom(SEED);
    var elements = new ArrayList<String>(count);
    for (var i = 0; i < count; i++) {
      elements.add(element(random.nextInt(known) + (i % 2 == 0 ? 0L : known)));
    }
    return elements;
  }

  /** Random elements below {@code known}. */
  static List<String> known(int count, int known) {
    var random = new SplittableRandom(SEED);
    var elements = new ArrayList<String>(count);
    for (var i = 0; i < count; i++) {
      elements.add(element(random.nextInt(known)));
    }
    return elements;
  }

  /** Batches in the order of the elements. */
  static List<List<String>> batches(List<String> elements) {
    var batches = new ArrayList<List<String>>();
    for (var first = 0; first + BATCH <= elements.size(); first += BATCH) {
      batches.add(elements.subList(first, first + BATCH));
    }
    return batches;
  }

  /** One batch whose elements are new in every request. */
  static List<String> newBatch() {
    var elements = new ArrayList<String>(BATCH);
    for (var i = 0; i < BATCH; i++) {
      elements.add(String.format(Locale.ROOT, "%s-%03d", SERIAL, i));
    }
    return elements;
  }

  /** The elements from 0 on as lines of text. */
  static byte[] lines(int count) {
    return lines(0, count);
  }

  /** The elements from a number on as lines of text. */
  static byte[] lines(int first, int count) {
    return lines(first, count, 1, 0);
  }

  /** Lines, with every other element below {@code count}. */
  static byte[] halfKnownLines(int count) {
    return lines(0, count, 2, count);
  }

  /** The elements that this number of requests made from the mark, as lines of text. */
  static byte[] linesOfSerials(String marked, long count) {
    return LongStream.range(0, count)
        .mapToObj(serial -> marked.replace(SERIAL, String.format(Locale.ROOT, "%010d", serial)))
        .collect(Collectors.joining("\n"))
        .getBytes(US_ASCII);
  }

  private static byte[] lines(int first, int count, int every, long otherwise) {
    var lines = new byte[Math.multiplyExact(count, LINE_LENGTH)];
    var template = (element(0) + "\n").getBytes(US_ASCII);
    for (var i = 0; i < count; i++) {
      System.arraycopy(template, 0, lines, i * LINE_LENGTH, LINE_LENGTH);
      var number = first + (i % every == 0 ? i : i + otherwise);
      putDigits(lines, i * LINE_LENGTH + LINE_LENGTH - 2, number);
    }
    return lines;
  }

  /** Overwrites digits with a number, from its last digit backwards. */
  static void putDigits(byte[] bytes, int last, long number) {
    var at = last;
    for (var rest = number; rest > 0; rest /= 10) {
      bytes[at--] = (byte) ('0' + rest % 10);
    }
  }
}
