package io.github.bloomgate.support;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logging.MDC;

/**
 * Records everything that is logged until it is closed, as text: the id of the request, the message
 * and any exception.
 */
public final class LogRecords extends Handler implements AutoCloseable {

  private final Queue<String> seen = new ConcurrentLinkedQueue<>();
  private final Predicate<LogRecord> kept;

  private LogRecords(Predicate<LogRecord> kept) {
    this.kept = kept;
  }

  public static LogRecords ofAll() {
    return of(record -> true);
  }

  /** Starts recording errors, and every record with an exception. */
  public static LogRecords ofErrors() {
    return of(
        record ->
            record.getLevel().intValue() >= Level.SEVERE.intValue() || record.getThrown() != null);
  }

  private static LogRecords of(Predicate<LogRecord> kept) {
    var records = new LogRecords(kept);
    Logger.getLogger("").addHandler(records);
    return records;
  }

  public List<String> seen() {
    return List.copyOf(seen);
  }

  @Override
  public void publish(LogRecord record) {
    if (!kept.test(record)) {
      return;
    }
    var text = new StringWriter();
    text.append(MDC.get("requestId") + " " + record.getMessage())
        .append(Arrays.toString(record.getParameters()));
    if (record.getThrown() != null) {
      record.getThrown().printStackTrace(new PrintWriter(text, true));
    }
    seen.add(text.toString());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    Logger.getLogger("").removeHandler(this);
  }
}
