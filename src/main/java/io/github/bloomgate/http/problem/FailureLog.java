package io.github.bloomgate.http.problem;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Keeps repeated failures from filling the log: the first one of each kind is logged where it
 * happens, then once a minute the number of others. Thread-safe.
 */
@Singleton
public class FailureLog {

  private static final Logger LOG = Logger.getLogger(FailureLog.class);

  /** The limit of kinds, because defects may be of many. */
  private static final int MAX_KINDS = 100;

  private final Map<String, Integer> seen = new ConcurrentHashMap<>();

  void stop(@Observes ShutdownEvent stopped) {
    logOthers();
  }

  /** Counts a failure; true if it is the first of its kind for a while. */
  public boolean isFirst(BloomException failure) {
    var kind = kindOf(failure);
    return seen.merge(seen.size() < MAX_KINDS ? kind : failure.code().name(), 1, Integer::sum) == 1;
  }

  /** Defects differ by exception and location. */
  private static String kindOf(BloomException failure) {
    var cause = failure.getCause();
    if (failure.code() != ErrorCode.INTERNAL || cause == null) {
      return failure.code().name();
    }
    var places = cause.getStackTrace();
    var place = places.length == 0 ? "nowhere" : places[0].toString();
    return "%s (%s at %s)".formatted(failure.code(), cause.getClass().getName(), place);
  }

  /** Logs the number of failures that were not logged, and starts over. */
  @Scheduled(every = "1m")
  public void logOthers() {
    for (var kind : List.copyOf(seen.keySet())) {
      var count = seen.remove(kind);
      if (count != null && count > 1) {
        LOG.warnf("Requests that failed since then with %s: %d more", kind, count - 1);
      }
    }
  }
}
