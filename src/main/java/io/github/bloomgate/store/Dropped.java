package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.Optional;

/** Content that no filter uses any more. Its segments must still be made to expire. */
public record Dropped(ContentId content, Written written) {

  private static final int FIELDS = 3;

  /** The most segments that are dropped by the script that replaces their content. */
  private static final int MAX_AT_ONCE = 64;

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

  /** The segments that the script drops which replaces the content: all, or none of many. */
  static List<String> keys(Optional<Dropped> replaced) {
    return replaced
        .map(its -> its.written.keys(its.content))
        .filter(keys -> keys.size() <= MAX_AT_ONCE)
        .orElse(List.of());
  }

  /** The number of these keys, and the note of the content if there are some. */
  static void put(Request request, Optional<Dropped> replaced) {
    var keys = keys(replaced).size();
    request.arg(keys).arg(keys == 0 ? new byte[0] : replaced.orElseThrow().note());
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
