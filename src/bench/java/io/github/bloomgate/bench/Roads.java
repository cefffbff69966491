package io.github.bloomgate.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** CPU time of a request in services that run in other ways, on the same Redis. */
final class Roads implements Work {

  @Override
  public String name() {
    return "roads";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var folder = stage.folder().resolve(name());
    var services = new LinkedHashMap<String, Service>();
    try {
      services.put(Names.SERVICE, stage.service());
      setups(stage, folder)
          .forEach(
              (name, setup) ->
                  services.put(
                      name,
                      stage
                          .service()
                          .startAnother(folder.resolve("service" + services.size()), setup)));
      var unixWebdis =
          stage
              .webdisWithBloom()
              .flatMap(webdis -> stage.options().webdis())
              .map(
                  path ->
                      Webdis.start(folder.resolve("webdis"), path, stage.peerRedis(), Road.UNIX));
      var webdis = new LinkedHashMap<String, Webdis>();
      stage.webdisWithBloom().ifPresent(tcp -> webdis.put(Names.WEBDIS_BLOOM, tcp));
      unixWebdis.ifPresent(unix -> webdis.put(Names.WEBDIS_UNIX, unix));
      try {
        var tests = FilterRequests.singleTests(Stage.INSERTIONS, stage.options());
        compare(stage, report, services, webdis, tests);
        compare(stage, report, services, webdis, FilterRequests.singleAdds(Stage.INSERTIONS));
      } finally {
        unixWebdis.ifPresent(Webdis::close);
      }
    } finally {
      services.remove(Names.SERVICE);
      services.values().forEach(Service::close);
    }
  }

  private static Map<String, Setup> setups(Stage stage, Path folder) {
    var usual = stage.service().setup();
    var setups = new LinkedHashMap<String, Setup>();
    setups.put(Names.UNIX, usual.with(Road.UNIX));
    setups.put(Names.NIO, usual.with(Transport.NIO));
    setups.put(Names.ONE_LOOP, usual.withEventLoops(1));
    stage
        .options()
        .java()
        .ifPresentOrElse(
            java -> setups.put(Names.IMAGE, usual.with(Program.serviceWithArchive(java, folder))),
            () ->
                System.out.println(
                    "The image's JDK and archive were skipped: give the java of a JDK 25 or later"
                        + " with -Dbench.java=..."));
    return setups;
  }

  private static void compare(
      Stage stage,
      Report report,
      Map<String, Service> services,
      Map<String, Webdis> webdis,
      FilterRequests requests) {
    if (requests.isQuiet()) {
      requests.createFilterIn(stage.service());
      if (!webdis.isEmpty()) {
        requests.createFilterIn(stage.peerRedis());
      }
    }
    var count = stage.options().singleRequests();
    var contenders = new ArrayList<Contender>();
    services.forEach(
        (name, service) ->
            contenders.add(
                requests.cpuContender(
                    name,
                    ProcessorTime.of(List.of(service)),
                    requests.toService(),
                    count,
                    () -> requests.createFilterIn(service))));
    webdis.forEach(
        (name, server) ->
            contenders.add(
                requests.cpuContender(
                    name,
                    ProcessorTime.of(server, stage.peerRedis()),
                    requests.toBloomModule(),
                    count,
                    () -> requests.createFilterIn(stage.peerRedis()))));
    var work = "CPU of a request: " + requests.name();
    var comparison = Comparison.warmedUp(work, "us", stage.options().repeats(), contenders);
    services.forEach(
        (name, service) -> {
          if (!name.equals(Names.SERVICE)) {
            var row = name.replace(Names.SERVICE, work);
            var setup = service.setupText();
            report.compare(row, setup, comparison, name, Names.SERVICE);
            var peer = name.equals(Names.UNIX) ? Names.WEBDIS_UNIX : Names.WEBDIS_BLOOM;
            report.compare(row, setup, comparison, name, peer);
          }
        });
  }
}
