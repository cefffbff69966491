package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import one.profiler.AsyncProfiler;

/**
 * Where the service spends its CPU time during a benchmark. Takes samples with async-profiler, one
 * per millisecond of a running thread.
 *
 * <p>Keeps the stacks in {@code target/bench/profile-WORK.txt}, in the format for flame graphs.
 * Linux and macOS only.
 */
final class Profile {

  private static final Path FOLDER = Path.of("target/bench").toAbsolutePath();

  /** The first match of the innermost Java frame decides. */
  private static final List<Part> PARTS =
      List.of(
          new Part("Bloomgate", "io/github/bloomgate/"),
          new Part("Netty", "io/netty/"),
          new Part("Vert.x", "io/vertx/"),
          new Part("Quarkus, RESTEasy, SmallRye", "io/quarkus/", "org/jboss/", "io/smallrye/"),
          new Part("Jackson", "com/fasterxml/"),
          new Part("Micrometer", "io/micrometer/"),
          new Part("JDK", "java/", "jdk/", "sun/"));

  private record Part(String name, String... prefixes) {

    boolean has(String frame) {
      return List.of(prefixes).stream().anyMatch(frame::startsWith);
    }
  }

  private final Path library;
  private final long process;
  private final Path stacks;

  private Profile(Path library, long process, Path stacks) {
    this.library = library;
    this.process = process;
    this.stacks = stacks;
  }

  /** Starts sampling a service. */
  static Profile start(Path folder, ServerProcess service, String work) {
    var profile =
        new Profile(
            unpacked(folder.resolve("libasyncProfiler.so")),
            service.pid(),
            FOLDER.resolve("profile-" + work + ".txt"));
    profile.order("start,event=itimer,interval=1ms");
    return profile;
  }

  void end() {
    order("stop,collapsed,file=" + stacks);
  }

  /** The share of samples whose stack, starting with the outermost frame, meets a condition. */
  double share(Predicate<String[]> condition) {
    var samples = samples(condition::test);
    return (double) samples.getOrDefault(true, 0L)
        / samples.values().stream().mapToLong(Long::longValue).sum();
  }

  private void order(String arguments) {
    var answer =
        ServerProcess.jcmd(process, "JVMTI.agent_load", library.toString(), '"' + arguments + '"');
    if (!answer.contains("return code: 0")) {
      throw new IllegalStateException("async-profiler refused " + arguments + ": " + answer);
    }
  }

  /** The number of samples by a property of their stacks. */
  private <K extends Comparable<K>> Map<K, Long> samples(Function<String[], K> property) {
    var samples = new TreeMap<K, Long>();
    try (var lines = Files.lines(stacks, UTF_8)) {
      lines.forEach(
          line -> {
            var end = line.lastIndexOf(' ');
            var count = Long.parseLong(line.substring(end + 1));
            samples.merge(property.apply(line.substring(0, end).split(";", -1)), count, Long::sum);
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return samples;
  }

  /** The share of each part of the service. */
  String summary() {
    var samples = samples(Profile::part);
    var all = samples.values().stream().mapToLong(Long::longValue).sum();
    var text = new StringBuilder();
    samples.entrySet().stream()
        .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
        .forEach(
            entry ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "%5.1f %%  %s%n",
                        100.0 * entry.getValue() / all,
                        entry.getKey())));
    return text.toString();
  }

  private static String part(String[] stack) {
    var last = stack[stack.length - 1];
    if (last.matches("(__)?(libc_)?(write|writev|send|sendmsg|read|readv|recv|recvmsg)")) {
      return "system calls: sockets";
    }
    if (last.matches("(__)?epoll_.*")) {
      return "system calls: waiting for sockets";
    }
    for (var i = stack.length - 1; i >= 0; i--) {
      var frame = stack[i];
      for (var part : PARTS) {
        if (part.has(frame)) {
          return part.name();
        }
      }
    }
    var whole = String.join(";", stack);
    if (whole.contains("Compile")) {
      return "JIT compilers";
    }
    return whole.matches(".*(GC|Mark|Collect|Copy|Generation).*") ? "garbage collector" : "JVM";
  }

  /** The profiler's library is in its jar, and must be a file to be loaded. */
  private static Path unpacked(Path file) {
    // The service has already loaded the file, and would crash if it were written again.
    if (Files.exists(file)) {
      return file;
    }
    var system = System.getProperty("os.name").startsWith("Mac") ? "macos" : linux();
    try (var library =
        AsyncProfiler.class.getResourceAsStream("/" + system + "/libasyncProfiler.so")) {
      if (library == null) {
        throw new IllegalStateException("async-profiler has no library for this system");
      }
      Files.write(file, library.readAllBytes());
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String linux() {
    return System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
  }
}
