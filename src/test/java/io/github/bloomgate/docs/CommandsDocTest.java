package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Redis commands that an operator is told to allow are those the scripts use. */
class CommandsDocTest {

  private static final Path SCRIPTS = Path.of("src/main/resources/lua");
  private static final Pattern CALL = Pattern.compile("\\bp?call\\(\\s*'([A-Z_]+)'");
  private static final Pattern LISTED = Pattern.compile("`([A-Z_]+)`");

  @Test
  void everyCommandOfTheScriptsIsListed() throws IOException {
    var text = MarkdownFile.read("docs/operations.md").text();
    var list = text.substring(text.indexOf("within scripts"));

    assertEquals(used(), all(LISTED, list.substring(0, list.indexOf("\n\n"))));
  }

  private static Set<String> used() throws IOException {
    try (var files = Files.walk(SCRIPTS)) {
      return files
          .filter(Files::isRegularFile)
          .flatMap(file -> all(CALL, read(file)).stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
