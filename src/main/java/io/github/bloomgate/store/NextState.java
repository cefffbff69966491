package io.github.bloomgate.store;

import io.github.bloomgate.redis.ScriptReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The generation that a rebuild loads.
 *
 * @param received the number of elements loaded
 * @param idleTimeout the time after which it expires without a load
 * @param run the run of a source that loads it
 */
public record NextState(
    FilterState state, long received, Duration idleTimeout, Optional<String> run) {

  private static final int RECEIVED = 12;
  private static final int IDLE_TIMEOUT = 13;
  private static final int RUN = 14;

  static NextState of(ScriptReply reply, List<byte[]> fields) {
    return new NextState(
        FilterState.of(reply, fields),
        Long.parseLong(FilterState.text(fields, RECEIVED)),
        Duration.ofMillis(Long.parseLong(FilterState.text(fields, IDLE_TIMEOUT))),
        Optional.of(FilterState.text(fields, RUN)).filter(run -> !run.isEmpty()));
  }
}
