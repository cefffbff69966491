package io.github.bloomgate.bench;

import java.util.List;
import java.util.Locale;

/**
 * Requests of one kind to the filter {@link Stage#FRESH}, for the service and for RedisBloom. Every
 * other tested element is known, and added elements are new.
 *
 * @param name describes the requests and the size of the filter
 * @param insertions the capacity of the filter
 * @param known number of elements in the filter before the first request
 * @param added average number of elements that a request adds
 */
record FilterRequests(
    String name,
    long insertions,
    int known,
    double added,
    Requests toService,
    Requests toBloomModule) {

  /** A number of batches that can be mixed one to nine. */
  private static final int BATCHES = 72;

  static FilterRequests singleTests(long insertions, Options options) {
    var known = options.knownElements(insertions);
    var elements = Elements.halfKnown(SingleTest.POOL, known);
    return new FilterRequests(
        name("single test", insertions),
        insertions,
        known,
        0,
        SingleTest.requests(Stage.FRESH, elements),
        BloomModule.tests(Stage.FRESH, elements));
  }

  static FilterRequests singleAdds(long insertions) {
    return new FilterRequests(
        name("single add", insertions),
        insertions,
        0,
        1,
        Requests.json(FilterApi.path(Stage.FRESH, "/add"), List.of(List.of(SingleAdd.ELEMENT))),
        BloomModule.add(Stage.FRESH, SingleAdd.ELEMENT));
  }

  static FilterRequests batchTests(long insertions, Options options) {
    var known = options.knownElements(insertions);
    var batches = Elements.batches(Elements.halfKnown(BATCHES * Elements.BATCH, known));
    return new FilterRequests(
        name("batch test", insertions),
        insertions,
        known,
        0,
        Requests.json(FilterApi.path(Stage.FRESH, "/test"), batches),
        BloomModule.batches("BF.MEXISTS", Stage.FRESH, batches));
  }

  static FilterRequests batchAdds(long insertions) {
    var batch = List.of(Elements.newBatch());
    return new FilterRequests(
        name("batch add", insertions),
        insertions,
        0,
        Elements.BATCH,
        Requests.json(FilterApi.path(Stage.FRESH, "/add"), batch),
        BloomModule.batches("BF.MADD", Stage.FRESH, batch));
  }

  /** Alternates between a test and an add of one element. */
  static FilterRequests halfSingleAdds(long insertions, Options options) {
    return singleTests(insertions, options)
        .withOneOf(singleAdds(insertions), 1, name("half single tests, half adds", insertions));
  }

  /** Tests nine batches, then adds one. */
  static FilterRequests tenthBatchAdds(long insertions, Options options) {
    return batchTests(insertions, options)
        .withOneOf(batchAdds(insertions), 9, name("nine batch tests, one add", insertions));
  }

  /** The filter is half full when the requests begin. */
  private FilterRequests withOneOf(FilterRequests adds, int every, String mixedName) {
    return new FilterRequests(
        mixedName,
        insertions,
        known / 2,
        adds.added / (every + 1),
        toService.withOneOf(adds.toService, every),
        toBloomModule.withOneOf(adds.toBloomModule, every));
  }

  private static String name(String what, long insertions) {
    return String.format(Locale.ROOT, "%s, n = %,d", what, insertions);
  }

  /** Whether the requests change nothing. */
  boolean isQuiet() {
    return added == 0;
  }

  /** The number of requests for which one filter has room, if they add. */
  long room() {
    return (long) ((insertions - known) / added);
  }

  /** A contender in CPU time per request. If requests add, it prepares a filter for them. */
  Contender cpuContender(
      String contender, ProcessorTime time, Requests requests, long count, Runnable prepare) {
    return new Contender(
        contender,
        () ->
            isQuiet()
                ? time.perRequest(requests, count)
                : time.perRequest(requests, count, room(), prepare));
  }

  /** Makes room for what the requests add, if they do. */
  void renewFilterIn(Service service) {
    if (!isQuiet()) {
      createFilterIn(service);
    }
  }

  /** Makes room for what the requests add, if they do. */
  void renewFilterIn(RedisServer redis) {
    if (!isQuiet()) {
      createFilterIn(redis);
    }
  }

  void createFilterIn(Service service) {
    service.filters().recreate(Stage.FRESH, insertions);
    if (known > 0) {
      service.filters().load(Stage.FRESH, Elements.lines(known));
    }
  }

  void createFilterIn(RedisServer redis) {
    try (var connection = redis.connect()) {
      BloomModule.recreate(connection, Stage.FRESH, insertions, known);
    }
  }
}
