package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.error.ErrorCode;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/errors.md has every error code of the service, with its status and title. */
class ErrorsDocTest {

  private static final Pattern SECTION =
      Pattern.compile("^### ([A-Z_]+) \\((\\d{3})\\)\n\n\\*(.+)\\*\n\n\\S", Pattern.MULTILINE);

  @Test
  void everyCodeIsExplained() {
    var page = MarkdownFile.read("docs/errors.md").text();

    var explained =
        SECTION
            .matcher(page)
            .results()
            .map(found -> line(found.group(1), found.group(2), found.group(3)))
            .toList();

    var codes =
        Arrays.stream(ErrorCode.values())
            .map(code -> line(code.name(), Integer.toString(code.status()), code.title()))
            .toList();
    assertEquals(codes, explained);
  }

  private static String line(String code, String status, String title) {
    return "%s (%s): %s".formatted(code, status, title);
  }
}
