package io.github.bloomgate.bench;

import io.github.bloomgate.config.EventLoops;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Everything that runs during the benchmark.
 *
 * @param folder the folder for files of processes
 * @param ceiling a minimal Quarkus service with the service's JVM settings
 * @param webdis empty unless its path is given
 */
record Stage(
    Options options,
    Path folder,
    LoadGenerator load,
    Service service,
    QuarkusApp ceiling,
    RedisServer peerRedis,
    RedissonPeer redisson,
    Optional<Webdis> webdis)
    implements AutoCloseable {

  /** Connections of the load generator, and threads of a peer in this process. */
  static final int CLIENTS = 32;

  /** Threads with which a peer in this process keeps its Redis busy with batches. */
  static final int BATCH_CLIENTS = 4;

  /** A filter of the service and the peers with the known elements. */
  static final String KNOWN = "bench.known";

  /** A filter that is created again before each run that adds. */
  static final String FRESH = "bench.fresh";

  /** The capacity of filters, unless a benchmark has another. */
  static final long INSERTIONS = 1_000_000;

  /** The capacity of a filter with six segments. {@link #INSERTIONS} need only one. */
  static final long MORE_INSERTIONS = 10_000_000;

  static Stage start(Options options, Path folder) {
    var useWrk =
        options.load().equals("wrk") || (options.load().equals("auto") && WrkLoad.isInstalled());
    var peerRedis = startRedis(options, folder.resolve("redis"));
    return new Stage(
        options,
        folder,
        useWrk ? new WrkLoad(folder) : new SocketLoad(),
        Service.start(
            folder.resolve("service"),
            Setup.usual(),
            startRedis(options, folder.resolve("service-redis")),
            List.of()),
        startCeiling(folder),
        peerRedis,
        new RedissonPeer(peerRedis.port()),
        options
            .webdis()
            .map(path -> Webdis.start(folder.resolve("webdis"), path, peerRedis, Road.TCP)));
  }

  private static RedisServer startRedis(Options options, Path folder) {
    return RedisServer.start(folder, options.redisServer(), options.redisBloom());
  }

  static QuarkusApp startCeiling(Path folder) {
    return QuarkusApp.start(
        folder.resolve("ceiling"),
        Program.ceiling(),
        List.of(EventLoops.SETTING + "=" + EventLoops.usual()),
        "/constant");
  }

  /** Load on one of the servers, as a contender. */
  Contender http(String name, int port, Requests requests) {
    return new Contender(name, () -> load.run(port, requests, CLIENTS, options.time()));
  }

  /** The constant endpoint, as a contender in CPU time per request. */
  Contender constantCpu() {
    return new Contender(
        Names.CONSTANT,
        () ->
            ProcessorTime.of(ceiling)
                .perRequest(Requests.get(List.of("/constant")), options.singleRequests()));
  }

  /** webdis, if it runs and the peers' Redis has RedisBloom. */
  Optional<Webdis> webdisWithBloom() {
    return options.redisBloom().isPresent() ? webdis : Optional.empty();
  }

  @Override
  public void close() {
    redisson.close();
    webdis.ifPresent(Webdis::close);
    peerRedis.close();
    ceiling.close();
    service.close();
    service.server().close();
  }
}
