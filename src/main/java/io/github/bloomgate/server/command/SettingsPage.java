package io.github.bloomgate.server.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The settings from the package's copy of {@code docs/configuration.md}. */
final class SettingsPage {

  private static final String RESOURCE = "docs/configuration.md";
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z][\\w.\"-]+)` \\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);
  private static final Pattern REFERENCE = Pattern.compile("; see \\[[^\\]]*]\\([^)]*\\)");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\([^)]*\\)");
  private static final Pattern LATER_SENTENCES = Pattern.compile("(?s)(?<=\\.) .*");
  private static final Pattern LINE = Pattern.compile("(.{1,88})(?: |$)");

  /** A row of its tables, with the first sentence of the meaning. */
  record Row(String name, String standard, String meaning) {

    String print() {
      return "  %s (%s)%n%s%n"
          .formatted(
              name, standard, LINE.matcher(meaning).replaceAll("      $1\n").stripTrailing());
    }
  }

  private SettingsPage() {}

  static List<Row> rows() {
    return ROW.matcher(read())
        .results()
        .map(
            row ->
                new Row(
                    row.group(1),
                    plain(row.group(2)),
                    LATER_SENTENCES.matcher(plain(row.group(3))).replaceFirst("")))
        .toList();
  }

  private static String plain(String markdown) {
    var text = REFERENCE.matcher(markdown).replaceAll("");
    return LINK.matcher(text).replaceAll("$1").replace("`", "").strip();
  }

  private static String read() {
    try (var file = SettingsPage.class.getClassLoader().getResourceAsStream(RESOURCE)) {
      if (file == null) {
        throw new IllegalStateException("The package lacks " + RESOURCE);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
