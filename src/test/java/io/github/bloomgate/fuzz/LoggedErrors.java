package io.github.bloomgate.fuzz;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records errors and stack traces in the log while it is open. */
final class LoggedErrors implements AutoCloseable {

  private static final int MOST = 20;

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final Logger root = Logger.getLogger("");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          var isError = entry.getLevel().intValue() >= Level.SEVERE.intValue();
          if ((isError || entry.getThrown() != null) && seen.size() < MOST) {
            seen.add(
                "%s %s: %s %s"
                    .formatted(
                        entry.getLevel(),
                        entry.getLoggerName(),
                        entry.getMessage(),
                        entry.getThrown()));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  LoggedErrors() {
    handler.setLevel(Level.INFO);
    root.addHandler(handler);
  }

  List<String> seen() {
    return seen;
  }

  @Override
  public void close() {
    root.removeHandler(handler);
  }
}
