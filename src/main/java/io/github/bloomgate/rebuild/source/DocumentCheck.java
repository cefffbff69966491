package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Refuses lines of text that are another document, by the first line that is not blank. */
final class DocumentCheck {

  /** A document if no other line follows. */
  private Optional<OtherDocument> whole = Optional.empty();

  /** Lines that are not blank, up to two. */
  private int lines;

  /**
   * Checks the next elements.
   *
   * @throws BloomException SOURCE_UNREADABLE
   */
  void require(List<byte[]> elements) {
    for (var i = 0; lines < 2 && i < elements.size(); i++) {
      // Latin-1 maps all bytes to characters.
      var line = new String(elements.get(i), StandardCharsets.ISO_8859_1);
      if (!line.isBlank() && ++lines == 1) {
        whole = OtherDocument.beginningWith(line);
        whole.filter(kind -> kind != OtherDocument.JSON_IN_ONE_LINE).ifPresent(this::refuse);
      }
    }
  }

  /** Checks that there was more than one line of JSON. */
  void requireAtEnd() {
    if (lines == 1) {
      whole.ifPresent(this::refuse);
    }
  }

  private void refuse(OtherDocument document) {
    throw RebuildErrors.sourceUnreadable(
        "The source looks like %s. It must have an element on each line. Check where it comes from. If its first line is an element, write the elements as JSON strings and set the format ndjson."
            .formatted(document.kind()));
  }
}
