package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Arguments;
import java.util.List;
import java.util.Optional;

/**
 * Content that no filter uses any more. Its segments must still be made to expire.
 *
 * @param note its home, incarnation and segments written, as a state notes them, in ISO 8859-1
 */
public record Dropped(String note) {

  private static final int FIELDS = 3;

  /** The most segments that are dropped by the script that replaces their content. */
  private static final int MAX_AT_ONCE = 64;

  Dropped(ContentId content, Written written) {
    this(
        "%s %s %s"
            .formatted(
                content.keyName(), content.incarnation(), new String(written.bytes(), ISO_8859_1)));
  }

  /** Reads the note in a state, which is empty for none. */
  static Optional<Dropped> of(byte[] note) {
    return note.length == 0
        ? Optional.empty()
        : Optional.of(new Dropped(new String(note, ISO_8859_1)));
  }

  /** The segments that the script drops which replaces the content: all, or none of many. */
  static List<String> keys(Optional<Dropped> replaced) {
    return replaced.map(Dropped::keys).filter(keys -> keys.size() <= MAX_AT_ONCE).orElse(List.of());
  }

  /** The number of these keys, and the note of the content if there are some. */
  static void put(Arguments arguments, Optional<Dropped> replaced) {
    var keys = keys(replaced).size();
    arguments.add(keys).add(keys == 0 ? new byte[0] : replaced.orElseThrow().bytes());
  }

  /** Its segments; none if the note is malformed. */
  List<String> keys() {
    var fields = note.split(" ", FIELDS);
    if (fields.length < FIELDS) {
      return List.of();
    }
    try {
      var content = new ContentId(new FilterName(fields[0]), fields[1]);
      return Written.of(fields[2].getBytes(ISO_8859_1)).keys(content);
    } catch (IllegalArgumentException | BloomException damaged) {
      return List.of();
    }
  }

  byte[] bytes() {
    return note.getBytes(ISO_8859_1);
  }
}
