package io.github.bloomgate.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The files of the project, by their paths from its folder. */
public final class ProjectFiles {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final Pattern ALLOWED_COMMAND = Pattern.compile("\\+([A-Z]+)");

  private ProjectFiles() {}

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static JsonNode json(String file) {
    try {
      return JSON.readTree(Path.of(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static JsonNode yaml(String file) {
    return documents(text(Path.of(file))).get(0);
  }

  /** The documents of a YAML file, in order. */
  public static List<JsonNode> documents(String yaml) {
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
      return documents.readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The commands that the documented Redis user may run. */
  public static Set<String> redisCommands() {
    var page = text(Path.of("docs", "operations.md"));
    var rule = page.substring(page.indexOf("redis-cli ACL SETUSER"));
    return Found.in(
        rule.substring(0, rule.indexOf("```")).toUpperCase(Locale.ROOT), ALLOWED_COMMAND);
  }

  /** All files in a folder and its subfolders. */
  public static List<Path> under(String folder) {
    try (var files = Files.walk(Path.of(folder))) {
      return files.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
