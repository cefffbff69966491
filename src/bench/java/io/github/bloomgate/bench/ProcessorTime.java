package io.github.bloomgate.bench;

import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * CPU time, user and system, of servers that answer requests and of the Redis behind them. It
 * depends less than throughput on other load of the machine.
 *
 * @param servers the servers whose time counts
 * @param redisMicros time of their Redis, in microseconds
 */
record ProcessorTime(List<ServerProcess> servers, DoubleSupplier redisMicros) {

  /** The CPU time of services that share the Redis of the first. */
  static ProcessorTime of(List<Service> services) {
    return new ProcessorTime(
        services.stream().map(service -> service.app().process()).toList(),
        () -> micros(services.get(0).redis()));
  }

  static ProcessorTime of(QuarkusApp app) {
    return new ProcessorTime(List.of(app.process()), () -> 0);
  }

  static ProcessorTime of(Webdis webdis, RedisServer redis) {
    return new ProcessorTime(List.of(webdis.process()), () -> micros(redis.connect()));
  }

  private static double micros(RedisConnection redis) {
    try (redis) {
      return redis.cpuMicros();
    }
  }

  /** Measures the time per operation of a load. */
  Sample during(Supplier<Sample> load) {
    var before = micros();
    var sample = load.get();
    return sample.with(
        Sample.Figure.CPU_MICROS_PER_OPERATION, (micros() - before) / sample.operations());
  }

  /** The ports on which they listen. */
  List<Integer> ports() {
    return servers.stream().map(ServerProcess::port).toList();
  }

  private double micros() {
    return redisMicros.getAsDouble() + servers.stream().mapToDouble(ServerProcess::cpuMicros).sum();
  }

  /** Measures the time per request over this number of requests. */
  Sample perRequest(Requests requests, long count) {
    return perRequest(requests, count, Long.MAX_VALUE, () -> {});
  }

  /**
   * Measures the time per request over this number of requests.
   *
   * @param room number of requests after which to prepare again
   * @param prepare runs before the first request and whenever there is no more room, without being
   *     measured
   */
  Sample perRequest(Requests requests, long count, long room, Runnable prepare) {
    var spent = 0.0;
    var left = count;
    Sample last;
    do {
      prepare.run();
      var before = micros();
      last = SocketLoad.runAll(ports(), requests, Stage.CLIENTS, Math.min(left, room));
      spent += micros() - before;
      left -= last.operations();
    } while (left > 0);
    return last.withValue(spent / count);
  }
}
