package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.redis.ReservedPort;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.Interpreter;
import io.github.bloomgate.support.TestExtent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The readers of {@code examples/edge} keep their promises next to writers, rebuilds, windows,
 * removals, and kills of the services and of Redis. Prints figures. Skips languages that are not
 * installed, except Java.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("long")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class EdgeSoakIT {

  private static final int SECONDS = TestExtent.of("test.soak-seconds", 60, 600);
  private static final Path EXAMPLES = Path.of("examples/edge").toAbsolutePath();
  private static final String SECRET = "000102030405060708090a0b0c0d0e0f".repeat(2);
  private static final String MAX_AGE = "2";
  private static final int SERVICES = 2;

  private static final Duration WINDOW = Duration.ofSeconds(5);

  /** A loaded machine notices the end of a window late. */
  private static final Duration BEFORE_WINDOW_ENDS = Duration.ofMillis(500);

  private static final Duration WRITER_PACE = Duration.ofMillis(60);
  private static final Duration TEST_PACE = Duration.ofMillis(30);
  private static final Duration PROBE_PACE = Duration.ofMillis(10);
  private static final Duration REMOVAL_PACE = Duration.ofMillis(100);

  /** A request whose outcome is unknown may still be carried out for this long. */
  private static final Duration LATE = Duration.ofSeconds(3);

  private static final Duration MOST_RECOVERY = Duration.ofMinutes(1);
  private static final Duration RECOVERY_PACE = Duration.ofMillis(200);
  private static final int MOST_PRINTED = 20;
  private static final int STREAM = 400;
  private static final int KEPT = 150;
  private static final int FINAL_TESTS = 2000;
  private static final int UNKNOWN = 300;
  private static final int LEAST_UNKNOWN = 100;
  private static final double MOST_FALSE_POSITIVES = 0.1;

  private static final Pattern ID = Pattern.compile("\"id\" ?: ?\"([^\"]+)\"");

  private static final String PLAIN = "soak-plain";
  private static final String GROWING = "soak-growing";
  private static final String COUNTING = "soak-counting";
  private static final String WINDOWED = "soak-window";
  private static final String REBUILT = "soak-rebuilt";

  private static final Map<String, String> SHAPES =
      Map.of(
          PLAIN,
          "{\"expectedInsertions\": 3000000}",
          GROWING,
          "{\"expectedInsertions\": 500, \"whenFull\": \"grow\","
              + " \"hashScheme\": \"bloomgate-1-keyed\"}",
          COUNTING,
          "{\"expectedInsertions\": 200000, \"counting\": true}",
          WINDOWED,
          "{\"expectedInsertions\": 20000, \"slices\": 4, \"window\": {\"seconds\": %d}}"
              .formatted(WINDOW.toSeconds()),
          REBUILT,
          "{\"expectedInsertions\": 100000}");

  @TempDir private Path scratch;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final AtomicReferenceArray<PackagedService> services =
      new AtomicReferenceArray<>(SERVICES);
  private final Map<String, SoakedFilter> filters = new LinkedHashMap<>();
  private final List<Reader> readers = new ArrayList<>();
  private final Queue<String> mistakes = new ConcurrentLinkedQueue<>();
  private final AtomicInteger names = new AtomicInteger();
  private final Map<String, AtomicInteger> events =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private volatile boolean isOver;

  @Test
  void noAnswerIsOlderThanItsAge() throws Exception {
    System.out.println("noAnswerIsOlderThanItsAge: seed " + seed + ", " + SECONDS + " s");
    for (var name : SHAPES.keySet()) {
      var window = name.equals(WINDOWED) ? WINDOW.minus(BEFORE_WINDOW_ENDS) : Duration.ofDays(9999);
      filters.put(name, new SoakedFilter(name, window.toNanos()));
    }
    var ports = List.of(ReservedPort.any(), ReservedPort.any());
    try (var redis = TestRedis.started("--appendonly", "yes", "--appendfsync", "always")) {
      for (var i = 0; i < SERVICES; i++) {
        services.set(i, start(redis, ports.get(i)));
      }
      SHAPES.forEach((name, shape) -> services.get(0).done("PUT", "/v1/filters/" + name, shape));
      startReaders(ports);
      var running = new ArrayList<CompletableFuture<Void>>();
      try {
        for (var filter : filters.values()) {
          running.add(InParallel.run(() -> write(filter, new Random(random.nextLong()))));
        }
        running.add(InParallel.run(() -> remove(new Random(random.nextLong()))));
        running.add(InParallel.run(() -> rebuild(new Random(random.nextLong()))));
        for (var reader : readers) {
          running.add(InParallel.run(() -> test(reader, new Random(random.nextLong()))));
        }
        disturb(redis, ports);
        isOver = true;
        for (var one : running) {
          one.get(2, TimeUnit.MINUTES);
        }
        printMistakes();
        testAll();
      } finally {
        isOver = true;
        printFigures();
        printMistakes();
        readers.forEach(Reader::close);
        IntStream.range(0, SERVICES).forEach(i -> services.get(i).close());
        ports.forEach(ReservedPort::close);
      }
    }
    assertEquals(List.of(), mistakes.stream().limit(MOST_PRINTED).toList());
  }

  private static PackagedService start(TestRedis redis, ReservedPort port) {
    return PackagedService.start(
        redis.uri(),
        "quarkus.http.port=" + port.number(),
        "bloomgate.redis.call-timeout=2s",
        "bloomgate.redis.connect-timeout=2s",
        "bloomgate.security.hash-secret=" + SECRET);
  }

  /** A follower in a process of its own, and what it answered. */
  private static final class Reader implements AutoCloseable {
    private final String language;
    private final SoakedFilter filter;
    private final FollowerProcess process;
    private final MovableProxy proxy;
    private final FollowerFigures figures = new FollowerFigures();

    private Reader(
        String language, SoakedFilter filter, FollowerProcess process, MovableProxy proxy) {
      this.language = language;
      this.filter = filter;
      this.process = process;
      this.proxy = proxy;
    }

    /** Tests an element and counts the answer. */
    private FollowerProcess.Answer ask(String element) {
      var answer = process.test(element);
      figures.add(answer);
      return answer;
    }

    @Override
    public void close() {
      process.close();
      try {
        proxy.close();
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void startReaders(List<ReservedPort> ports) throws Exception {
    for (var language : commands().entrySet()) {
      for (var filter : filters.values()) {
        var proxy = MovableProxy.to(ports.get(random.nextInt(SERVICES)).number());
        var command = new ArrayList<>(language.getValue());
        command.addAll(List.of(proxy.url(), filter.name(), MAX_AGE));
        var process =
            FollowerProcess.start(
                language.getKey() + " " + filter.name(),
                command,
                Map.of("BLOOMGATE_SECRET", SECRET));
        readers.add(new Reader(language.getKey(), filter, process, proxy));
      }
    }
  }

  private Map<String, List<String>> commands() throws Exception {
    var commands = new LinkedHashMap<String, List<String>>();
    var classes = scratch.toString();
    var java = EXAMPLES.resolve("Follower.java").toString();
    assertEquals("0 ", Interpreter.run(scratch, Interpreter.jdk("javac"), "-d", classes, java));
    commands.put(
        "Java",
        List.of(
            Interpreter.jdk("java"),
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classes,
            "Follower"));
    if (Interpreter.isThere("python3", "--version")) {
      commands.put("Python", List.of("python3", EXAMPLES.resolve("follow.py").toString()));
    }
    if (Interpreter.isThere("node", "--version")) {
      commands.put("JavaScript", List.of("node", EXAMPLES.resolve("follow.mjs").toString()));
    }
    if (Interpreter.isThere("go", "version")) {
      var folder = Files.createDirectories(scratch.resolve("go/follow"));
      Files.copy(EXAMPLES.resolve("follow.go"), folder.resolve("follow.go"));
      Files.writeString(folder.resolve("../go.mod"), "module check\n\ngo 1.19\n");
      Files.writeString(
          folder.resolve("../main.go"),
          "package main\n\nimport \"check/follow\"\n\nfunc main() { follow.Main() }\n");
      var built = Interpreter.run(scratch.resolve("go"), "go", "build", "-o", "follower");
      assertEquals("0 ", built);
      commands.put("Go", List.of(scratch.resolve("go/follower").toString()));
    }
    return commands;
  }

  /** A pause of a client, which would otherwise use all CPU time. */
  private static void pause(Duration pace) {
    LockSupport.parkNanos(pace.toNanos());
  }

  /** The status of a request to any service, or 0 if it is not known whether it was carried out. */
  private int send(Random own, String method, String path, String json) {
    return send(services.get(own.nextInt(SERVICES)), method, path, json).status;
  }

  private record Reply(int status, String text) {}

  private static Reply send(PackagedService service, String method, String path, String json) {
    try {
      var answer = service.send(method, path, json);
      return new Reply(answer.statusCode(), PackagedService.text(answer));
    } catch (IOException broken) {
      return new Reply(0, "");
    }
  }

  private void write(SoakedFilter filter, Random own) {
    while (!isOver) {
      pause(WRITER_PACE);
      var isStream = own.nextInt(50) == 0;
      var count = isStream ? STREAM : 1 + own.nextInt(10);
      var elements =
          IntStream.range(0, count)
              .mapToObj(i -> filter.name() + " " + names.incrementAndGet())
              .toList();
      var service = services.get(own.nextInt(SERVICES));
      var body = isStream ? String.join("\n", elements) : PackagedService.json(elements);
      var type = isStream ? "text/plain" : "application/json";
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      var request = service.request("POST", filter.path("/add"), type, bytes);
      var sentAt = System.nanoTime();
      try {
        if (service.sendAsync(request).join().statusCode() == 200) {
          filter.acknowledged(elements, sentAt);
          count("adds acknowledged", count);
        } else {
          count("requests refused", 1);
        }
      } catch (CompletionException broken) {
        count("requests broken", 1);
      }
    }
  }

  private void remove(Random own) {
    var filter = filters.get(COUNTING);
    var removed = new HashSet<String>();
    while (!isOver) {
      pause(REMOVAL_PACE);
      var one = filter.somethingAdded(own);
      if (one != null && removed.add(one.element())) {
        filter.isBeingRemoved(one);
        var json = PackagedService.json(List.of(one.element()));
        if (send(own, "POST", filter.path("/remove"), json) == 200) {
          filter.isRemoved(one);
          count("removals", 1);
        }
      }
    }
  }

  /** Clears, rebuilds, deletes and creates one filter. */
  private void rebuild(Random own) {
    var filter = filters.get(REBUILT);
    while (!isOver) {
      pause(Duration.ofMillis(1000 + own.nextInt(3000)));
      switch (own.nextInt(6)) {
        case 0 -> clear(filter, own);
        case 1 -> createAgain(filter, own);
        default -> rebuild(filter, own);
      }
    }
  }

  private void clear(SoakedFilter filter, Random own) {
    var drop = filter.isBeingDropped(Set.of());
    insist(() -> send(own, "POST", filter.path("/clear"), "") == 200);
    filter.affectsOnlyUpTo(drop, System.nanoTime());
    count("clears", 1);
  }

  private void createAgain(SoakedFilter filter, Random own) {
    var drop = filter.isBeingDropped(Set.of());
    insist(() -> List.of(204, 404).contains(send(own, "DELETE", filter.path(""), "")));
    insist(
        () -> List.of(200, 201).contains(send(own, "PUT", filter.path(""), SHAPES.get(REBUILT))));
    filter.affectsOnlyUpTo(drop, System.nanoTime());
    count("deletions", 1);
  }

  /** Repeats a change until it succeeds, and then waits for earlier attempts. */
  private static void insist(BooleanSupplier change) {
    var isFirst = true;
    while (!change.getAsBoolean()) {
      pause(REMOVAL_PACE);
      isFirst = false;
    }
    if (!isFirst) {
      pause(LATE);
    }
  }

  private void rebuild(SoakedFilter filter, Random own) {
    var service = services.get(own.nextInt(SERVICES));
    var opened = send(service, "POST", filter.path("/rebuild"), "{}");
    var id = ID.matcher(opened.text);
    if (opened.status / 100 == 2 && id.find()) {
      var openAt = System.nanoTime();
      var query = "?id=" + id.group(1);
      var kept = filter.latest(KEPT).stream().map(SoakedFilter.Added::element).toList();
      pause(Duration.ofMillis(own.nextInt(500)));
      var loaded =
          kept.isEmpty()
              ? 0
              : send(own, "POST", filter.path("/rebuild/add" + query), PackagedService.json(kept));
      if (loaded == 200 && own.nextInt(5) > 0) {
        var drop = filter.isBeingDropped(Set.copyOf(kept));
        send(own, "POST", filter.path("/rebuild/commit" + query), "");
        // If the outcome is unknown, the commit may come later. It does not affect later adds.
        filter.affectsOnlyUpTo(drop, openAt);
        count("commits", 1);
      }
    }
    insist(() -> List.of(204, 404).contains(send(own, "DELETE", filter.path("/rebuild"), "")));
  }

  /** Tests until the end, and compares each answer with what was acknowledged. */
  private void test(Reader reader, Random own) {
    try {
      while (!isOver) {
        pause(TEST_PACE);
        switch (own.nextInt(20)) {
          case 0, 1 -> testUnknown(reader);
          case 2 -> probe(reader);
          default -> {
            var one = reader.filter.somethingAdded(own);
            if (one != null) {
              testAdded(reader, one);
            }
          }
        }
      }
    } catch (RuntimeException | AssertionError failed) {
      mistakes.add(reader.process + ": " + failed);
    }
  }

  private void testUnknown(Reader reader) {
    reader.figures.addUnknown(reader.ask("unknown " + names.incrementAndGet()));
  }

  private FollowerProcess.Answer testAdded(Reader reader, SoakedFilter.Added one) {
    var answer = reader.ask(one.element());
    if (answer.isNo()
        && one.at() - (answer.sentAt() - answer.ageNanos()) <= 0
        && !reader.filter.mayBeForgotten(one, answer.answeredAt())) {
      mistakes.add(
          "%s denies %s with an age of %d ms, acknowledged %d ms before"
              .formatted(
                  reader.process,
                  one.element(),
                  answer.ageNanos() / 1_000_000,
                  (answer.sentAt() - one.at()) / 1_000_000));
    }
    return answer;
  }

  /** Measures how long after its acknowledgement an add arrives. */
  private void probe(Reader reader) {
    var one = reader.filter.latest();
    while (one != null && !isOver) {
      var answer = testAdded(reader, one);
      if (reader.filter.mayBeForgotten(one, answer.answeredAt())) {
        return;
      }
      if (answer.isMaybe()) {
        reader.figures.addLag(answer.answeredAt() - one.at());
        return;
      }
      pause(PROBE_PACE);
    }
  }

  /** Kills services and Redis, and disturbs connections. */
  private void disturb(TestRedis redis, List<ReservedPort> ports) {
    var end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    while (System.nanoTime() - end < 0) {
      pause(Duration.ofMillis(500 + random.nextInt(2500)));
      var reader = readers.get(random.nextInt(readers.size()));
      switch (random.nextInt(12)) {
        case 0 -> killService(redis, ports);
        case 1 -> killRedis(redis);
        case 2, 3, 4 -> {
          reader.proxy.cut();
          count("connections cut", 1);
        }
        case 5, 6 -> {
          reader.proxy.holdFor(Duration.ofMillis(random.nextInt(15_000)).toNanos());
          count("connections held", 1);
        }
        default -> {
          reader.proxy.moveTo(ports.get(random.nextInt(SERVICES)).number());
          count("moves", 1);
        }
      }
    }
  }

  private void killService(TestRedis redis, List<ReservedPort> ports) {
    var i = random.nextInt(SERVICES);
    services.get(i).kill();
    // Followers move to the other instance, except some, which wait for this one.
    var other = ports.get(1 - i).number();
    readers.stream().filter(any -> random.nextInt(3) > 0).forEach(one -> one.proxy.moveTo(other));
    services.set(i, start(redis, ports.get(i)));
    count("services killed", 1);
  }

  private void killRedis(TestRedis redis) {
    redis.kill();
    pause(Duration.ofMillis(random.nextInt(5000)));
    redis.start();
    count("Redis killed", 1);
  }

  /** After the disturbances, all followers are young again and know everything. */
  private void testAll() {
    var calmAt = System.nanoTime();
    // One after the other, so that the tests do not slow down the services.
    for (var reader : readers) {
      try {
        awaitYounger(reader, calmAt);
        testAll(reader);
      } catch (ConditionTimeoutException old) {
        mistakes.add(reader.process + " stays old: " + reader.process.latestTooOld());
      }
    }
  }

  private static void awaitYounger(Reader reader, long calmAt) {
    Awaitility.await()
        .atMost(MOST_RECOVERY)
        .pollInterval(RECOVERY_PACE)
        .until(
            () -> {
              var answer = reader.process.test("unknown");
              return !answer.isTooOld() && answer.sentAt() - answer.ageNanos() - calmAt > 0;
            });
  }

  private void testAll(Reader reader) {
    var added = new ArrayList<>(reader.filter.added());
    Collections.shuffle(added, random);
    var forgotten = 0;
    var stillThere = 0;
    for (var one : added.subList(0, Math.min(FINAL_TESTS, added.size()))) {
      testAdded(reader, one);
      if (reader.filter.hasForgotten(one, WINDOW.toNanos() * 2)) {
        forgotten++;
        stillThere += reader.ask(one.element()).isMaybe() ? 1 : 0;
      }
    }
    IntStream.range(0, UNKNOWN).forEach(i -> testUnknown(reader));
    var errors = reader.process.errors();
    if (!errors.isEmpty()) {
      mistakes.add(reader.process + " wrote errors: " + errors);
    }
    var unknown = reader.figures.unknown();
    var falsePositives = reader.figures.falsePositives();
    if (unknown < LEAST_UNKNOWN || falsePositives > MOST_FALSE_POSITIVES * unknown) {
      mistakes.add(
          "%s answers maybe for %d of %d unknown elements"
              .formatted(reader.process, falsePositives, unknown));
    }
    if (stillThere > MOST_FALSE_POSITIVES * forgotten + 1) {
      mistakes.add(
          "%s answers maybe for %d of %d forgotten elements"
              .formatted(reader.process, stillThere, forgotten));
    }
  }

  private void count(String event, int times) {
    events.computeIfAbsent(event, any -> new AtomicInteger()).addAndGet(times);
  }

  private void printMistakes() {
    System.out.println(mistakes.size() + " mistakes");
    mistakes.stream().limit(MOST_PRINTED).forEach(System.out::println);
  }

  private void printFigures() {
    System.out.println(events);
    FollowerFigures.printTitles();
    var languages = new LinkedHashMap<String, FollowerFigures>();
    for (var one : readers) {
      one.figures.addConnections(one.proxy.accepted());
      one.figures.print(one.process.toString());
      if (one.figures.tooOld() > 0) {
        System.out.println("  latest: " + one.process.latestTooOld());
      }
      languages.computeIfAbsent(one.language, any -> new FollowerFigures()).addAll(one.figures);
    }
    languages.forEach((language, figures) -> figures.print(language));
  }
}
