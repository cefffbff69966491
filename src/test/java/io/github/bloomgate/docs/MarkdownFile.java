package io.github.bloomgate.docs;

import io.github.bloomgate.support.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation, with the parts that tests read. */
record MarkdownFile(String text) {

  /**
   * A command of a {@code console} block with its output.
   *
   * @param command without the prompt; may have several lines
   * @param output the lines up to the next command; may be empty
   */
  record Example(String command, String output) {}

  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w+)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern CODE = Pattern.compile("`([^`]*)`");
  private static final String PROMPT = "$ ";

  static MarkdownFile read(String path) {
    return new MarkdownFile(ProjectFiles.text(Path.of(path)));
  }

  static List<Path> pages() {
    try (var root = Files.list(Path.of(""));
        var docs = Files.walk(Path.of("docs"))) {
      return Stream.concat(root, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The part below a heading of the second level. */
  MarkdownFile section(String heading) {
    var from = text.indexOf("\n## " + heading + "\n");
    var end = text.indexOf("\n## ", from + 1);
    return new MarkdownFile(text.substring(from, end < 0 ? text.length() : end));
  }

  /** The code blocks in a language, in order. */
  List<String> blocks(String language) {
    return BLOCK
        .matcher(text)
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  /** The first code block in a language that begins with this text. */
  String block(String language, String beginning) {
    return blocks(language).stream()
        .filter(block -> block.startsWith(beginning))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + language + " with " + beginning));
  }

  /**
   * All examples, in order. An indented line after a command continues it. Outputs never begin with
   * an indented line.
   */
  List<Example> examples() {
    var examples = new ArrayList<Example>();
    for (var block : blocks("console")) {
      for (var part : ("\n" + block).split("\n" + Pattern.quote(PROMPT))) {
        if (!part.isEmpty()) {
          examples.add(example(part.lines().toList()));
        }
      }
    }
    return examples;
  }

  private static Example example(List<String> lines) {
    var end = 1;
    while (end < lines.size() && lines.get(end).startsWith("  ")) {
      end++;
    }
    return new Example(
        String.join("\n", lines.subList(0, end)),
        String.join("\n", lines.subList(end, lines.size())));
  }

  /** The cells of all table rows whose first cell begins with code, as Markdown. */
  List<List<String>> rows() {
    return text.lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)))
        .toList();
  }

  /** The code in a cell, in order. */
  static Stream<String> codes(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1));
  }

  /** The first code in a cell; empty if there is none. */
  static String code(String cell) {
    return codes(cell).findFirst().orElse("");
  }
}
