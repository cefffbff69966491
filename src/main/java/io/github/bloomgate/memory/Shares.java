package io.github.bloomgate.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * Divides an amount between clients while they use it. A client can take at most the amount that
 * stays free: one client gets a half, two get a third each. So no number of greedy clients takes
 * everything, and shares need no configuration. The first request of a client may take more.
 * Thread-safe.
 */
public final class Shares {

  /** Work for no particular client, whose share is not limited. */
  public static final String NO_CLIENT = "";

  public enum Result {
    TAKEN,
    /** The client has used up its share. */
    SHARE_USED,
    /** Nothing is free for any client. */
    ALL_USED
  }

  private final long limit;
  private final Map<String, Long> byClient = new HashMap<>();
  private long taken;

  public Shares(long limit) {
    this.limit = limit;
  }

  /** Takes all of an amount or nothing. */
  public synchronized Result take(String client, long amount) {
    var free = limit - taken - amount;
    if (free < 0) {
      return Result.ALL_USED;
    }
    if (!client.equals(NO_CLIENT)) {
      var held = byClient.getOrDefault(client, 0L);
      if (held > 0 && held + amount > free) {
        return Result.SHARE_USED;
      }
      byClient.put(client, held + amount);
    }
    taken += amount;
    return Result.TAKEN;
  }

  /** Gives back all or part of a client's amount. */
  public synchronized void giveBack(String client, long amount) {
    taken -= amount;
    if (!client.equals(NO_CLIENT)) {
      byClient.computeIfPresent(client, (id, held) -> held > amount ? held - amount : null);
    }
  }

  /** The amount all clients hold. */
  public synchronized long taken() {
    return taken;
  }
}
