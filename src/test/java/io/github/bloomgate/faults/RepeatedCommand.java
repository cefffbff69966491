package io.github.bloomgate.faults;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import java.util.concurrent.CompletableFuture;

/** Sends a command to Redis again and again. */
final class RepeatedCommand {
  private final TestRedis redis;
  private final String command;
  private final String[] arguments;
  private volatile boolean over;
  private CompletableFuture<Void> loop;

  RepeatedCommand(TestRedis redis, String command, String... arguments) {
    this.redis = redis;
    this.command = command;
    this.arguments = arguments;
  }

  void begin() {
    over = false;
    loop =
        InParallel.run(
            () -> {
              while (!over) {
                redis.command(command, arguments);
              }
            });
  }

  void end() {
    over = true;
    InParallel.resultOf(loop);
  }
}
