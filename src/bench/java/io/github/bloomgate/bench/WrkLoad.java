package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** wrk with one thread, which reads the requests from a file. */
final class WrkLoad implements LoadGenerator {

  private static final String RESULT = "RESULT ";
  private static final String SCRIPT =
      """
      local pool = {}
      local marked = {}
      local file = io.open(os.getenv('BENCH_REQUESTS'), 'rb')
      while true do
        local length = file:read('*n')
        if not length then
          break
        end
        file:read(1)
        pool[#pool + 1] = file:read(length)
        marked[#pool] = pool[#pool]:find('##########', 1, true) ~= nil
      end
      file:close()

      local serial = -1
      request = function()
        serial = serial + 1
        local place = serial % #pool + 1
        local text = pool[place]
        if marked[place] then
          text = text:gsub('##########', string.format('%010d', serial))
        end
        return text
      end

      done = function(summary, latency)
        local errors = summary.errors
        io.write(string.format('RESULT requests=%d micros=%d p50=%d failed=%d\\n',
          summary.requests, summary.duration, latency:percentile(50),
          errors.connect + errors.read + errors.write + errors.status + errors.timeout))
      end
      """;

  private final Path folder;

  WrkLoad(Path folder) {
    this.folder = folder;
  }

  /** Whether it is installed. */
  static boolean isInstalled() {
    var path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, "wrk")));
  }

  @Override
  public String name() {
    return "wrk";
  }

  @Override
  public Sample run(int port, Requests requests, int connections, Duration time) {
    try {
      var file = folder.resolve("requests");
      requests.write(file);
      var script = Files.writeString(folder.resolve("requests.lua"), SCRIPT);
      var builder =
          new ProcessBuilder(
                  "wrk",
                  "-t1",
                  "-c" + connections,
                  "-d" + time.toSeconds() + "s",
                  "-s",
                  script.toString(),
                  "http://127.0.0.1:" + port)
              .redirectErrorStream(true);
      builder.environment().put("BENCH_REQUESTS", file.toString());
      return measure(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Sample measure(Process wrk) throws IOException, InterruptedException {
    var output = new String(wrk.getInputStream().readAllBytes(), UTF_8);
    var figures =
        output
            .lines()
            .filter(line -> line.startsWith(RESULT))
            .map(WrkLoad::figures)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("wrk failed: " + output));
    if (wrk.waitFor() != 0 || figures.get("failed") > 0) {
      throw new IllegalStateException("Not every request succeeded: " + output);
    }
    return new Sample(
        figures.get("requests") * 1e6 / figures.get("micros"),
        figures.get("requests"),
        figures.get("p50"));
  }

  private static Map<String, Long> figures(String line) {
    Function<String, String[]> pair = text -> text.split("=");
    return Arrays.stream(line.substring(RESULT.length()).split(" "))
        .map(pair)
        .collect(Collectors.toMap(figure -> figure[0], figure -> Long.valueOf(figure[1])));
  }
}
