package io.github.bloomgate.http.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.lines.LineBatch;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.FilterName;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/**
 * For each line, a JSON array of the names of filters that might contain its element.
 *
 * @param filters flags have one for each of them, for the first element, then the second, ...
 */
public record NameLines(List<FilterName> filters) implements ElementStream.Results {

  /** Lines of a batch may be a hundred times as long as its elements. */
  private static final int PIECE = 1 << 14;

  /** Joins the answers of the filters. Missing filters answer false. */
  public static Flags join(List<FilterName> filters, Map<FilterName, Flags> answers, int elements) {
    var flags = new boolean[filters.size() * elements];
    for (var i = 0; i < filters.size(); i++) {
      var its = answers.get(filters.get(i));
      for (var element = 0; its != null && element < elements; element++) {
        flags[element * filters.size() + i] = its.flags()[element];
      }
    }
    return Flags.of(flags);
  }

  @Override
  public MediaType type(MediaType ofLines) {
    return MediaType.valueOf(LineFormat.NDJSON_TYPE);
  }

  @Override
  public int flagsOfLine() {
    return filters.size();
  }

  @Override
  public void write(LineBatch batch, boolean[] flags, OutputStream out) throws IOException {
    var lines = new StringBuilder();
    for (var first = 0; first < flags.length; first += filters.size()) {
      lines.append('[');
      var start = lines.length();
      for (var i = 0; i < filters.size(); i++) {
        if (flags[first + i]) {
          // Names have no characters that JSON escapes.
          lines.append(lines.length() == start ? "\"" : ",\"").append(filters.get(i)).append('"');
        }
      }
      lines.append("]\n");
      if (lines.length() >= PIECE) {
        out.write(lines.toString().getBytes(UTF_8));
        lines.setLength(0);
      }
    }
    out.write(lines.toString().getBytes(UTF_8));
  }
}
