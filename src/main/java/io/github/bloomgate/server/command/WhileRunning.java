package io.github.bloomgate.server.command;

import io.quarkus.arc.Arc;
import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Drops log lines of the framework's scheduler after the application has ended: it starts its tasks
 * even if the service failed to start, and logs a stack trace for each.
 */
@LoggingFilter(name = WhileRunning.NAME)
public final class WhileRunning implements Filter {

  /** Its name in {@code quarkus.log.console.filter}. */
  static final String NAME = "while-running";

  private static final String SCHEDULER = "io.quarkus.scheduler.";

  @Override
  public boolean isLoggable(LogRecord line) {
    return Arc.container() != null || !line.getLoggerName().startsWith(SCHEDULER);
  }
}
