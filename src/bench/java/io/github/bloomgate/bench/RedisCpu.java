package io.github.bloomgate.bench;

import java.util.List;
import java.util.function.Supplier;

/** CPU time of Redis per element of a tested batch. */
final class RedisCpu implements Work {

  @Override
  public String name() {
    return "redis-cpu";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var service = stage.http(Names.SERVICE, stage.service().port(), BatchTest.requests(stage));
    try (var redis = stage.service().redis();
        var lua = new PlainLuaLoop(stage.peerRedis().port())) {
      var contenders =
          List.of(
              new Contender(Names.SERVICE, () -> cpu(redis, service.measurement())),
              new Contender(
                  Names.LUA,
                  () ->
                      cpu(
                          lua.redis(),
                          () -> InProcessLoad.run(1, stage.options().time(), lua::run))));
      var comparison =
          Comparison.warmedUp(
              "Redis CPU per tested element", "us", stage.options().repeats(), contenders);
      report.compare(comparison, Names.LUA, Target.atMost(0.05));
    }
  }

  private static Sample cpu(RedisConnection redis, Supplier<Sample> batches) {
    var before = redis.cpuMicros();
    var sample = batches.get();
    var elements = (double) sample.operations() * Elements.BATCH;
    return sample.withValue((redis.cpuMicros() - before) / elements);
  }
}
