package io.github.bloomgate.http.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineBatch;
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

  /** Joins the answers of the filters. Missing filters answer false. */
  public static Answers join(
      List<FilterName> filters, Map<FilterName, Answers> answers, int elements) {
    var flags = new boolean[filters.size() * elements];
    for (var i = 0; i < filters.size(); i++) {
      var its = answers.get(filters.get(i));
      for (var element = 0; its != null && element < elements; element++) {
        flags[element * filters.size() + i] = its.flags()[element];
      }
    }
    return Answers.of(flags);
  }

  @Override
  public void write(LineBatch batch, boolean[] flags, OutputStream out) throws IOException {
    var line = new StringBuilder();
    for (var first = 0; first < flags.length; first += filters.size()) {
      line.append('[');
      var start = line.length();
      for (var i = 0; i < filters.size(); i++) {
        if (flags[first + i]) {
          // Names have no characters that JSON escapes.
          line.append(line.length() == start ? "\"" : ",\"").append(filters.get(i)).append('"');
        }
      }
      line.append("]\n");
    }
    out.write(line.toString().getBytes(UTF_8));
  }
}
