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
 * Keeps failures that repeat from filling the log: of each kind the first one is logged where it
 * happens, and then once a minute how many more there were. Thread-safe.
 */
@Singleton
public class FailureLog {

  private static final Logger LOG = Logger.getLogger(FailureLog.class);

  /** Of defects, which may be of many kinds. */
  private static final int MAX_KINDS = 100;

  private final Map<String, Integer> seen = new ConcurrentHashMap<>();

  void stop(@Observes ShutdownEvent stopped) {
    tell();
  }

  /** Counts a failure, and says whether it is the first of its kind for a while. */
  public boolean isFirst(BloomException failure) {
    var kind = kindOf(failure);
    return seen.merge(seen.size() < MAX_KINDS ? kind : failure.code().name(), 1, Integer::sum) == 1;
  }

  /** Defects differ by what was thrown, and where. */
  private static String kindOf(BloomException failure) {
    var cause = failure.getCause();
    if (failure.code() != ErrorCode.INTERNAL || cause == null) {
      return failure.code().name();
    }
    var places = cause.getStackTrace();
    var place = places.length == 0 ? "nowhere" : places[0].toString();
    return "%s (%s at %s)".formatted(failure.code(), cause.getClass().getName(), place);
  }

  /** Logs how many were not logged one by one, and begins again. */
  @Scheduled(every = "1m")
  public void tell() {
    for (var kind : List.copyOf(seen.keySet())) {
      var count = seen.remove(kind);
      if (count != null && count > 1) {
        LOG.warnf("Requests that failed since then with %s: %d more", kind, count - 1);
      }
    }
  }
}
