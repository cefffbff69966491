import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The load of open console tabs on the service. Sends their requests, and reads the CPU time of
 * processes from /proc, so that other processes do not count.
 *
 * <p>{@code java ConsoleTabs.java TABS SECONDS URL PATH[,PATH...] PID...}
 */
final class ConsoleTabs {

  /** As in connection.js. */
  private static final long PAUSE_MILLIS = 900;

  /** The unit of Linux's statistics, on all processors. */
  private static final double TICKS_A_SECOND = 100;

  private static final AtomicLong ANSWERS = new AtomicLong();
  private static final AtomicLong UNCHANGED = new AtomicLong();
  private static final AtomicLong BYTES = new AtomicLong();
  private static final AtomicLong FAILURES = new AtomicLong();

  private ConsoleTabs() {}

  public static void main(String[] args) throws Exception {
    var tabs = Integer.parseInt(args[0]);
    var seconds = Integer.parseInt(args[1]);
    var paths = Arrays.stream(args[3].split(",")).map(path -> URI.create(args[2] + path)).toList();
    var pids = List.of(args).subList(4, args.length);
    for (var tab = 0; tab < tabs; tab++) {
      var thread = new Thread(() -> look(paths));
      thread.setDaemon(true);
      thread.start();
    }
    // Leaves out the compilation at the start.
    Thread.sleep(10_000);
    var before = ticks(pids);
    var counted = List.of(ANSWERS.get(), UNCHANGED.get(), BYTES.get());
    Thread.sleep(seconds * 1000L);
    var after = ticks(pids);
    System.out.printf(
        "%d tabs, %d s: %.1f answers a second, %d %% of them 304, %d bytes a second, %d failures%n",
        tabs,
        seconds,
        (double) (ANSWERS.get() - counted.get(0)) / seconds,
        100 * (UNCHANGED.get() - counted.get(1)) / Math.max(1, ANSWERS.get() - counted.get(0)),
        (BYTES.get() - counted.get(2)) / seconds,
        FAILURES.get());
    for (var pid : pids) {
      System.out.printf(
          "process %s: %.2f s of CPU time, %.2f %% of one core%n",
          pid,
          (after.get(pid) - before.get(pid)) / TICKS_A_SECOND,
          100 * (after.get(pid) - before.get(pid)) / TICKS_A_SECOND / seconds);
    }
  }

  /** User and system time of processes. */
  private static Map<String, Long> ticks(List<String> pids) throws IOException {
    var all = new HashMap<String, Long>();
    for (var pid : pids) {
      var stat = Files.readString(Path.of("/proc", pid, "stat"));
      var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      all.put(pid, Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    }
    return all;
  }

  private static void look(List<URI> paths) {
    var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var tags = new ConcurrentHashMap<URI, String>();
    try {
      Thread.sleep(new Random().nextLong(PAUSE_MILLIS));
      while (true) {
        CompletableFuture.allOf(
                paths.stream().map(path -> ask(http, path, tags)).toArray(CompletableFuture[]::new))
            .join();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private static CompletableFuture<Void> ask(HttpClient http, URI path, Map<URI, String> tags) {
    var request = HttpRequest.newBuilder(path).header("Cache-Control", "max-age=1");
    if (tags.containsKey(path)) {
      request.header("If-None-Match", tags.get(path));
    }
    return http.sendAsync(request.build(), BodyHandlers.ofByteArray())
        .thenAccept(answer -> count(path, answer, tags));
  }

  private static void count(URI path, HttpResponse<byte[]> answer, Map<URI, String> tags) {
    if (answer.statusCode() != 200 && answer.statusCode() != 304) {
      FAILURES.incrementAndGet();
      return;
    }
    ANSWERS.incrementAndGet();
    UNCHANGED.addAndGet(answer.statusCode() == 304 ? 1 : 0);
    BYTES.addAndGet(answer.body().length);
    answer.headers().firstValue("ETag").ifPresent(tag -> tags.put(path, tag));
  }
}
