package io.github.bloomgate.bench;

import java.util.List;

/** The slow log of a Redis, which has the calls that kept it busy for longest. */
record SlowLog(RedisConnection redis) {

  /** Shorter calls are not logged, so that the log keeps all others. */
  private static final int LOGGED_MICROS = 1_000;

  private static final int MOST_LOGGED = 100_000;

  /** Empties the log. */
  void reset() {
    configure("slowlog-log-slower-than", LOGGED_MICROS);
    configure("slowlog-max-len", MOST_LOGGED);
    redis.call("SLOWLOG", List.of("RESET"));
  }

  private void configure(String setting, int value) {
    redis.call("CONFIG", List.of("SET", setting, String.valueOf(value)));
  }

  /** The time of the longest call since the log was emptied. */
  String longest() {
    var micros = redis.longestSlowCallMicros();
    return micros.isEmpty() ? "less than 1 ms" : Figures.text(micros.getAsLong() / 1e3) + " ms";
  }
}
