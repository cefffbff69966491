package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.bloomgate.support.RawResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The results of all workers: statuses, successful operations, and mistakes. */
final class HttpFindings {

  private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_]+)\"");

  final Map<String, String> mistakes = new ConcurrentSkipListMap<>();
  final Map<String, LongAdder> statuses = new ConcurrentSkipListMap<>();
  final Map<String, LongAdder> successes = new ConcurrentSkipListMap<>();

  private final long seed;

  /** Whether to report correct responses too, when one request is repeated. */
  private final boolean reportsAll;

  HttpFindings(long seed, boolean reportsAll) {
    this.seed = seed;
    this.reportsAll = reportsAll;
  }

  void count(HttpCase made, RawResponse answer) {
    statuses.computeIfAbsent(status(answer), status -> new LongAdder()).increment();
    if (isSuccess(made, answer)) {
      successes.computeIfAbsent(made.operation().id(), id -> new LongAdder()).increment();
    }
  }

  /** Whether the operation itself succeeded, not another one at a broken path. */
  private static boolean isSuccess(HttpCase made, RawResponse answer) {
    return answer.status() / 100 == 2
        && answer.isWhole()
        && !made.has(HttpCase.Flaw.METHOD)
        && !made.has(HttpCase.Flaw.PATH);
  }

  private static String status(RawResponse answer) {
    var code = CODE.matcher(new String(answer.body(), ISO_8859_1));
    return answer.status() < 500 || !code.find()
        ? "" + answer.status()
        : answer.status() + " " + code.group(1);
  }

  /** Records a mistake in a response, unless it is empty. */
  void report(HttpCase made, RawResponse answer, String mistake) {
    if (mistake.isEmpty() && !reportsAll) {
      return;
    }
    var kind =
        "%s %s %d %s".formatted(made.operation().id(), made.flaws(), answer.status(), mistake);
    mistakes.putIfAbsent(
        kind,
        "-Dtest.fuzz-seed=%d -Dtest.fuzz-index=%d: %s\n%s\n-> %s %s"
            .formatted(
                seed,
                made.index(),
                kind,
                text(made.request(), 600),
                answer.headers(),
                text(answer.body(), 600)));
  }

  long failed(String pattern) {
    return statuses.entrySet().stream()
        .filter(status -> status.getKey().matches(pattern))
        .mapToLong(status -> status.getValue().sum())
        .sum();
  }

  /** The first bytes in a printable form. */
  static String text(byte[] bytes, int most) {
    var text = new StringBuilder();
    IntStream.range(0, Math.min(bytes.length, most))
        .map(i -> bytes[i] & 0xff)
        .forEach(
            c -> {
              if (c == '\n' || (c >= ' ' && c < 127)) {
                text.append((char) c);
              } else if (c != '\r') {
                text.append("\\x%02x".formatted(c));
              }
            });
    return bytes.length > most ? text + "... (" + bytes.length + " bytes)" : text.toString();
  }
}
