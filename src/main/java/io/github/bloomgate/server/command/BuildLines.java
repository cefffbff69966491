package io.github.bloomgate.server.command;

import io.github.bloomgate.files.FilterBuild;
import io.github.bloomgate.lines.ContentMismatchException;
import io.github.bloomgate.lines.ElementLines;
import io.github.bloomgate.lines.InvalidLineException;
import io.github.bloomgate.lines.LineBatch;
import io.github.bloomgate.lines.Sender;
import io.github.bloomgate.lines.UnpackedInput;
import io.github.bloomgate.model.Growth;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Adds the lines of files to a build, and reports progress. */
final class BuildLines {

  /** Names standard input. */
  static final String STANDARD = "-";

  private static final String PACKED = ".gz";

  private static final int BATCH_BYTES = 4 << 20;

  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final FilterBuild build;
  private final BuildOptions options;
  private final PrintStream progress;
  private final long began = System.nanoTime();
  private long reported = began;
  private long count;

  BuildLines(FilterBuild build, BuildOptions options, PrintStream progress) {
    this.build = build;
    this.options = options;
    this.progress = progress;
  }

  /** The number of lines read. */
  long count() {
    return count;
  }

  /**
   * Adds all lines of a file.
   *
   * @param input its name, or {@link #STANDARD}
   * @throws IOException if it cannot be read, has a line that is no element, or does not fit
   */
  void read(String input) throws IOException {
    if (input.equals(STANDARD)) {
      read("standard input", System.in);
      return;
    }
    try (var file = open(input)) {
      read(input, file);
    }
  }

  private static InputStream open(String input) throws IOException {
    try {
      return Files.newInputStream(Path.of(input));
    } catch (IOException unreadable) {
      throw new IOException(
          "The file %s does not exist or cannot be read. Nothing was written: correct its name or permissions."
              .formatted(input),
          unreadable);
    }
  }

  private void read(String name, InputStream input) throws IOException {
    var content = new UnpackedInput(input, !name.endsWith(PACKED));
    var lines =
        new ElementLines(
            content,
            options.format(),
            options.encoding(),
            Optional.empty(),
            last -> BATCH_BYTES,
            Sender.SOURCE);
    for (var batch = next(name, lines); batch.isPresent(); batch = next(name, lines)) {
      add(name, batch.get());
      lines.reuse(batch.get());
    }
  }

  private static Optional<LineBatch> next(String name, ElementLines lines) throws IOException {
    try {
      return lines.next();
    } catch (InvalidLineException invalid) {
      throw new IOException(
          "Line %d of %s %s. Nothing was written: correct the line, then repeat."
              .formatted(lines.nextLine(), name, invalid.getMessage()),
          invalid);
    } catch (ContentMismatchException other) {
      throw new IOException(
          "The content of %s %s. Nothing was written. %s"
              .formatted(name, other.getMessage(), other.remedy()),
          other);
    } catch (IOException broken) {
      throw new IOException(
          "Line %d of %s cannot be read (%s). Nothing was written: check the file, which must be text or complete gzip."
              .formatted(lines.nextLine(), name, broken.getMessage()),
          broken);
    }
  }

  private void add(String name, LineBatch batch) throws IOException {
    var excess = build.add(batch.elements());
    if (excess.isPresent()) {
      throw new IOException(
          "Line %d of %s does not fit. %s"
              .formatted(batch.firstLine() + excess.getAsInt(), name, full()));
    }
    count += batch.size();
    var now = System.nanoTime();
    if (now - reported >= REPORT_NANOS) {
      reported = now;
      progress.printf(
          Locale.ROOT, "%,d lines, %,.0f lines/s%n", count, count / ((now - began) / 1e9));
    }
  }

  private String full() {
    var plan = build.plan();
    return plan.parameters().kind() instanceof Growth growth
        ? "The filter has %d layers with %d bytes, and another would exceed the limit of %d bytes or of %d layers. Nothing was written: give a larger --max-size-bytes or --n."
            .formatted(
                plan.layers().size(), plan.sizeBytes(), growth.maxSizeBytes(), Growth.MAX_LAYERS)
        : "The filter holds its %d expectedInsertions and rejects new elements. Nothing was written: give a larger --n, or --when-full accept."
            .formatted(plan.expectedInsertions());
  }
}
