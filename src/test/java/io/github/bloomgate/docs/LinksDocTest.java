package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Found;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link to a file of the project or to a heading leads to one that exists. */
class LinksDocTest {

  private static final Pattern BLOCK =
      Pattern.compile("^ *```.*?^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern INLINE_CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

  @Test
  void everyLinkLeadsSomewhere() {
    var broken = new ArrayList<String>();
    var links = 0;
    for (var page : MarkdownFile.pages()) {
      for (var link : links(page)) {
        links++;
        if (!holds(page, link)) {
          broken.add(page + ": " + link);
        }
      }
    }
    assertTrue(links > 200, "links found: " + links);
    assertEquals(List.of(), broken);
  }

  @Test
  void theReadmeLeadsToEveryPage() {
    var linked =
        links(Path.of("README.md")).stream()
            .map(link -> link.replaceAll("#.*", ""))
            .collect(Collectors.toSet());

    assertEquals(
        Set.of(),
        MarkdownFile.pages().stream()
            .map(page -> page.toString().replace('\\', '/'))
            .filter(page -> !page.startsWith("docs/adr/") && !page.equals("README.md"))
            .filter(page -> !linked.contains(page))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** All links of a page, except to other hosts. */
  private static Set<String> links(Path page) {
    var links = Found.in(INLINE_CODE.matcher(withoutBlocks(page)).replaceAll("code"), LINK);
    links.removeIf(link -> ELSEWHERE.matcher(link).matches());
    return links;
  }

  private static boolean holds(Path page, String link) {
    var parts = link.split("#", 2);
    var target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(target)
        && (parts.length == 1 || anchors(target).anyMatch(parts[1]::equals));
  }

  /** Makes anchors from headings as GitHub does: repeated headings get a number. */
  private static Stream<String> anchors(Path page) {
    var seen = new HashMap<String, Integer>();
    return HEADING
        .matcher(withoutBlocks(page))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(text -> text.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .map(
            anchor -> {
              var times = seen.merge(anchor, 1, Integer::sum);
              return times == 1 ? anchor : anchor + "-" + (times - 1);
            });
  }

  private static String withoutBlocks(Path page) {
    return BLOCK.matcher(MarkdownFile.read(page.toString()).text()).replaceAll("");
  }
}
