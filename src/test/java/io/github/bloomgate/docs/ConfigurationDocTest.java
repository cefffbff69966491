package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.BloomgateConfig;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The documented properties are the ones that the service has, with the same defaults. */
class ConfigurationDocTest {

  private static final String PREFIX =
      BloomgateConfig.class.getAnnotation(ConfigMapping.class).prefix();

  @Test
  void everyPropertyIsDocumentedWithItsDefault() {
    assertEquals(properties(), documented("docs/configuration.md"));
  }

  @Test
  void everyPageNamesPropertiesThatExist() {
    var existing = properties().keySet();
    var groups = existing.stream().map(name -> name.split("\\.")[1]).distinct().toList();
    var property =
        Pattern.compile("\\b%s\\.(?:%s)\\.[a-z-]+".formatted(PREFIX, String.join("|", groups)));

    var named = new TreeSet<String>();
    for (var page : MarkdownFile.pages()) {
      // The changelog may name renamed or removed settings.
      if (!page.endsWith("CHANGELOG.md")) {
        property
            .matcher(MarkdownFile.read(page.toString()).text())
            .results()
            .forEach(found -> named.add(found.group()));
      }
    }

    assertTrue(named.size() > 20, named.toString());
    named.removeAll(existing);
    assertEquals(Set.of(), named);
  }

  private static Map<String, String> documented(String page) {
    return MarkdownFile.read(page).rows().stream()
        .filter(cells -> MarkdownFile.code(cells.get(0)).startsWith(PREFIX + "."))
        .collect(
            Collectors.toMap(
                cells -> MarkdownFile.code(cells.get(0)),
                cells -> MarkdownFile.code(cells.get(1)),
                (one, other) -> one + " and " + other,
                TreeMap::new));
  }

  private static Map<String, String> properties() {
    var properties = new TreeMap<String, String>();
    collect(PREFIX, BloomgateConfig.class, properties);
    return properties;
  }

  private static void collect(String prefix, Class<?> group, Map<String, String> into) {
    for (var method : group.getMethods()) {
      var name = prefix + "." + kebabCase(method.getName());
      var value = method.getAnnotation(WithDefault.class);
      if (value != null) {
        into.put(name, value.value());
      } else if (method.getReturnType().isInterface()
          && method.getReturnType().getEnclosingClass() == BloomgateConfig.class) {
        collect(name, method.getReturnType(), into);
      } else {
        into.put(name, "");
      }
    }
  }

  private static String kebabCase(String camelCase) {
    return camelCase.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
