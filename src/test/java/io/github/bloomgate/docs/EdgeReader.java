package io.github.bloomgate.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.support.FollowedFilter;
import io.github.bloomgate.support.Interpreter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.hamcrest.Matcher;

/** A program in {@code examples/edge} that follows a filter, as a process that answers lines. */
final class EdgeReader implements AutoCloseable {

  private static final Path EXAMPLES = Path.of("examples/edge").toAbsolutePath();

  private final Process process;
  private final BufferedReader answers;

  /** Starts a program that {@link #programs} returned. */
  EdgeReader(List<String> program, String url, String maxAge) throws IOException {
    var command = new ArrayList<>(program);
    command.addAll(List.of(url, "golden", maxAge));
    var builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    builder.environment().put("BLOOMGATE_KEY", "a-key");
    builder.environment().put("BLOOMGATE_SECRET", FollowedFilter.SECRET);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    process = builder.start();
    answers = process.inputReader(UTF_8);
  }

  /**
   * The command of each language that is installed.
   *
   * @param folder where to compile
   */
  static Map<String, List<String>> programs(Path folder) throws Exception {
    var programs = new TreeMap<String, List<String>>();
    var javac = Interpreter.jdk("javac");
    var java = EXAMPLES.resolve("Follower.java").toString();
    succeed(Interpreter.run(folder, javac, "-Xlint:all", "-Werror", "-d", ".", java));
    programs.put("java", List.of(Interpreter.jdk("java"), "-cp", folder.toString(), "Follower"));
    if (Interpreter.isThere("python3", "--version")) {
      programs.put("python3", List.of("python3", EXAMPLES.resolve("follow.py").toString()));
    }
    if (Interpreter.isThere("node", "--version")) {
      programs.put("node", List.of("node", EXAMPLES.resolve("follow.mjs").toString()));
    }
    if (Interpreter.isThere("go", "version")) {
      Files.createDirectories(folder.resolve("follow"));
      Files.copy(EXAMPLES.resolve("follow.go"), folder.resolve("follow/follow.go"));
      Files.writeString(folder.resolve("go.mod"), "module example.com/edge\n\ngo 1.19\n");
      Files.writeString(
          folder.resolve("main.go"),
          "package main\n\nimport \"example.com/edge/follow\"\n\nfunc main() { follow.Main() }\n");
      succeed(Interpreter.run(folder, "go", "build", "-o", "edge"));
      programs.put("go", List.of(folder.resolve("edge").toString()));
    }
    return programs;
  }

  private static void succeed(String result) {
    if (!"0 ".equals(result)) {
      throw new AssertionError(result);
    }
  }

  /** The answer about an element: maybe, no or too-old, its age, and the reason if it has one. */
  String ask(String element) {
    try {
      var questions = process.outputWriter(UTF_8);
      questions.write(element);
      questions.newLine();
      questions.flush();
      var answer = answers.readLine();
      if (answer == null) {
        throw new AssertionError("the reader has ended");
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for an answer about an element. */
  String await(String element, Matcher<String> answer) {
    return Awaitility.await().until(() -> ask(element), answer);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
