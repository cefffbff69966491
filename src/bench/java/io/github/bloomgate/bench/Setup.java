package io.github.bloomgate.bench;

import io.github.bloomgate.config.EventLoops;
import java.util.ArrayList;
import java.util.List;

/** How an instance of the service runs. */
record Setup(Program program, Transport transport, int eventLoops, Road road) {

  /** The setup of all measurements that do not compare setups. */
  static Setup usual() {
    return new Setup(Program.service(), Transport.NATIVE, EventLoops.usual(), Road.TCP);
  }

  Setup with(Program other) {
    return new Setup(other, transport, eventLoops, road);
  }

  Setup with(Transport other) {
    return new Setup(program, other, eventLoops, road);
  }

  Setup withEventLoops(int number) {
    return new Setup(program, transport, number, road);
  }

  Setup with(Road other) {
    return new Setup(program, transport, eventLoops, other);
  }

  /** System properties as name=value, for a service on this Redis. */
  List<String> settings(RedisServer redis) {
    var settings = new ArrayList<>(transport.settings());
    settings.add(EventLoops.SETTING + "=" + eventLoops);
    settings.add("quarkus.redis.hosts=" + redis.address(road));
    return settings;
  }

  /**
   * A short text for the table, which docs/benchmarks.md explains.
   *
   * @param redis the version of Redis
   */
  String text(String redis) {
    return "%s / %s / %d / %s / %s"
        .formatted(
            program.javaVersion().replaceAll("\\..*", ""),
            transport.text(),
            eventLoops,
            road.text(),
            redis);
  }
}
