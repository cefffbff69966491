package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.bloomgate.model.FilterName;
import java.util.Optional;

/** Content that no filter uses any more. Its segments must still be made to expire. */
public record Dropped(ContentId content, Written written) {

  private static final int FIELDS = 3;

  /** Reads the note in a state, which is empty for none. */
  static Optional<Dropped> of(byte[] note) {
    if (note.length == 0) {
      return Optional.empty();
    }
    var fields = new String(note, ISO_8859_1).split(" ", FIELDS);
    if (fields.length < FIELDS) {
      throw new IllegalArgumentException("not a note of dropped content");
    }
    return Optional.of(
        new Dropped(
            new ContentId(new FilterName(fields[0]), fields[1]),
            new Written(fields[2].getBytes(ISO_8859_1))));
  }

  byte[] note() {
    return (content.keyName()
            + " "
            + content.incarnation()
            + " "
            + new String(written.bytes(), ISO_8859_1))
        .getBytes(ISO_8859_1);
  }
}
