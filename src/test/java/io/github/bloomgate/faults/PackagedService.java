package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.PackagedJar;
import io.github.bloomgate.support.PlainHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The packaged service in its own JVM, with a client for it. */
public final class PackagedService implements AutoCloseable {

  private static final Pattern LISTENING = Pattern.compile("Listening on: https?://[^ :]+:(\\d+)");

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(FaultRun.MAX_WAIT)
          .build();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Process process;
  private final int port;

  private PackagedService(Process process) {
    this.process = process;
    var found = new CompletableFuture<Integer>();
    var unused =
        InParallel.run(
            () -> {
              read(found);
              found.completeExceptionally(new IllegalStateException("did not start: " + log));
            });
    try {
      this.port = found.orTimeout(FaultRun.MAX_WAIT.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException notStarted) {
      process.destroyForcibly();
      throw notStarted;
    }
  }

  /**
   * Starts the service on any free port. Unless the properties set another call timeout, it is
   * maxWait, because Redis may be slow on a busy machine.
   */
  public static PackagedService start(String redis, String... properties) {
    return start(List.of("-Xmx512m"), redis, properties);
  }

  public static PackagedService start(List<String> options, String redis, String... properties) {
    return start(List.of(), options, redis, properties);
  }

  /**
   * Starts the service with its embedded Redis in its own process group, as an interactive shell
   * does.
   */
  static PackagedService startInGroup(Path data, String... properties) {
    var all = new ArrayList<>(List.of(properties));
    all.add("bloomgate.embedded.data-dir=" + data);
    // A background build may ignore the signal, and child processes inherit that.
    return start(
        List.of("env", "--default-signal=INT", "setsid"),
        List.of("-Xmx512m"),
        "",
        all.toArray(String[]::new));
  }

  /** Starts the service with its embedded Redis and an environment variable. */
  static PackagedService startWith(String variable, Path data) {
    return start(
        List.of("env", variable), List.of("-Xmx512m"), "", "bloomgate.embedded.data-dir=" + data);
  }

  private static PackagedService start(
      List<String> launcher, List<String> options, String redis, String... properties) {
    var command = new ArrayList<>(options);
    command.addAll(List.of("-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=0"));
    command.add("-Dquarkus.redis.hosts=" + redis);
    command.add("-Dbloomgate.redis.call-timeout=60s");
    command.add("-Dbloomgate.redis.connect-timeout=60s");
    // Later properties override earlier ones.
    for (var property : properties) {
      command.add("-D" + property);
    }
    var process = PackagedJar.process(command);
    process.command().addAll(0, launcher);
    try {
      return new PackagedService(process.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(CompletableFuture<Integer> found) {
    try (var output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (var line = output.readLine(); line != null; line = output.readLine()) {
        log.add(line);
        var listening = LISTENING.matcher(line);
        if (listening.find()) {
          found.complete(Integer.valueOf(listening.group(1)));
        }
      }
    } catch (IOException ended) {
      return;
    }
  }

  public List<String> log() {
    return List.copyOf(log);
  }

  /** The lines of the log that contain a text. */
  List<String> log(String text) {
    return log.stream().filter(line -> line.contains(text)).toList();
  }

  long pid() {
    return process.pid();
  }

  int port() {
    return port;
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** A request with a body, which may be empty. */
  HttpRequest request(String method, String path, String type, byte[] body) {
    var request = HttpRequest.newBuilder(uri(path)).timeout(FaultRun.MAX_WAIT);
    if (body.length == 0) {
      return request.method(method, BodyPublishers.noBody()).build();
    }
    return request
        .header("Content-Type", type)
        .method(method, BodyPublishers.ofByteArray(body))
        .build();
  }

  CompletableFuture<HttpResponse<byte[]>> sendAsync(HttpRequest request) {
    return http.sendAsync(request, BodyHandlers.ofByteArray());
  }

  /** Sends JSON, or no body if the text is empty. */
  public HttpResponse<byte[]> send(String method, String path, String json) throws IOException {
    var body = json.getBytes(StandardCharsets.UTF_8);
    try {
      return http.send(request(method, path, "application/json", body), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  PlainHttp.Reply answer(String path, List<String> elements) throws IOException {
    var answer = send("POST", path, json(elements));
    return new PlainHttp.Reply(answer.statusCode(), answer.body());
  }

  /** A JSON body with elements that need no escapes. */
  static String json(List<String> elements) {
    return elements.stream().collect(Collectors.joining("\",\"", "{\"elements\":[\"", "\"]}"));
  }

  /** Whether a filter answers "maybe" for all of these elements. */
  boolean containsAll(String filter, List<String> elements) {
    var answer = done("POST", "/v1/filters/" + filter + "/test", json(elements)).replace(" ", "");
    return Pattern.compile("\"mightContainCount\":" + elements.size() + "[},]")
        .matcher(answer)
        .find();
  }

  /** Sends JSON, and asserts that the request succeeds. */
  String done(String method, String path, String json) {
    try {
      var answer = send(method, path, json);
      var text = text(answer);
      assertTrue(
          answer.statusCode() / 100 == 2,
          () -> method + " " + path + ": " + answer.statusCode() + " " + text);
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    }
  }

  public static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  int readiness() throws IOException {
    return send("GET", "/q/health/ready", "").statusCode();
  }

  /** The value of a metric with its labels; NaN if there is none. */
  double metric(String name) throws IOException {
    return text(send("GET", "/q/metrics", ""))
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Sends SIGKILL. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** Sends SIGINT to every process of the group, as Ctrl-C in a terminal does. */
  void interruptGroup() throws IOException {
    var kill = new ProcessBuilder("kill", "-INT", "--", "-" + pid()).inheritIO().start();
    assertEquals(0, InParallel.resultOf(kill.onExit()).exitValue());
  }

  /** Waits for the end of the process and returns its exit code. */
  public int awaitEnd() {
    try {
      assertTrue(process.waitFor(FaultRun.MAX_WAIT.toSeconds(), TimeUnit.SECONDS), "does not end");
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
