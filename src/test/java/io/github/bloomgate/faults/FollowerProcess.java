package io.github.bloomgate.faults;

import io.github.bloomgate.support.InParallel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A program of {@code examples/edge} that follows a filter and tests the lines that it gets. */
final class FollowerProcess implements AutoCloseable {

  private static final Pattern ANSWER = Pattern.compile("(maybe|no|too-old) (\\S+)(?: .*)?");
  private static final long MAX_WAIT_SECONDS = 60;

  /**
   * An answer with the times at which the test was sent and answered.
   *
   * @param ageNanos the age of the copy, rounded up; 0 if it is too old
   */
  record Answer(String kind, long ageNanos, long sentAt, long answeredAt) {

    boolean isMaybe() {
      return kind.equals("maybe");
    }

    boolean isNo() {
      return kind.equals("no");
    }

    boolean isTooOld() {
      return kind.equals("too-old");
    }
  }

  private final String name;
  private final Process process;
  private final OutputStream input;
  private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
  private volatile String latestTooOld = "";
  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  private FollowerProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = process.getOutputStream();
    var unused = InParallel.run(() -> read(process.getInputStream(), output));
    var unusedToo = InParallel.run(() -> read(process.getErrorStream(), errors));
  }

  static FollowerProcess start(String name, List<String> command, Map<String, String> environment)
      throws IOException {
    var builder = new ProcessBuilder(command);
    builder.environment().put("BLOOMGATE_KEY", "");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().putAll(environment);
    return new FollowerProcess(name, builder.start());
  }

  @Override
  public String toString() {
    return name;
  }

  /** Lines that the program wrote to its standard error. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** The latest answer that said why the copy was too old; may be empty. */
  String latestTooOld() {
    return latestTooOld;
  }

  /** Tests an element. Throws if the program gives no answer, or one that is not documented. */
  Answer test(String element) {
    var sentAt = System.nanoTime();
    try {
      input.write((element + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
      var line = output.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
      var answeredAt = System.nanoTime();
      var answer = ANSWER.matcher(line == null ? "" : line);
      if (!answer.matches()) {
        throw new AssertionError(name + " answered: " + line + "; errors: " + errors);
      }
      var isTooOld = answer.group(1).equals("too-old");
      if (isTooOld) {
        latestTooOld = line;
      }
      // The age is rounded to milliseconds.
      var age = isTooOld ? 0 : (long) ((Double.parseDouble(answer.group(2)) + 0.001) * 1e9);
      return new Answer(answer.group(1), age, sentAt, answeredAt);
    } catch (IOException ended) {
      throw new UncheckedIOException(name + " ended; errors: " + errors, ended);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static void read(InputStream stream, Queue<String> lines) {
    try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException ended) {
      return;
    }
  }
}
