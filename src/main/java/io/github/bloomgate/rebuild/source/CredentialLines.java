package io.github.bloomgate.rebuild.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads credentials from lines: {@code SERVER NAME: VALUE} for a header, or {@code SERVER s3
 * FIELDS}. Ignores blank lines and those starting with #.
 */
final class CredentialLines {

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern S3 = Pattern.compile("s3(\\s.*)?");

  private CredentialLines() {}

  /**
   * Reads lines.
   *
   * @throws IllegalArgumentException if a line is invalid, or there are no credentials; the message
   *     completes the name of the setting and quotes nothing
   */
  static Map<Server, Credentials> parse(List<String> lines) {
    var all = new HashMap<Server, Credentials>();
    for (var i = 0; i < lines.size(); i++) {
      var line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        add(all, line);
      } catch (IllegalArgumentException invalid) {
        throw new IllegalArgumentException(
            "cannot be used: line %d %s".formatted(i + 1, invalid.getMessage()), invalid);
      }
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException("has no credentials");
    }
    return all;
  }

  private static void add(Map<Server, Credentials> all, String line) {
    var parts = BLANKS.split(line, 2);
    var server =
        Server.parse(parts[0])
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "does not begin with a host, such as lists.example.com, lists.example.com:8443 or http://lists.example.com"));
    var rest = parts.length < 2 ? "" : parts[1];
    var known = all.get(server);
    if (S3.matcher(rest).matches()) {
      if (known != null) {
        throw repeated();
      }
      all.put(server, S3Credentials.parse(rest.substring(2)));
      return;
    }
    var header = HeaderCredentials.parse(rest);
    if (known instanceof HeaderCredentials earlier) {
      header = earlier.and(header);
    } else if (known != null) {
      throw repeated();
    }
    all.put(server, header);
  }

  private static IllegalArgumentException repeated() {
    return new IllegalArgumentException(
        "repeats the host of an earlier line; a host with s3 has just that line");
  }
}
