package io.github.bloomgate.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A curl command of the documentation, parsed without a shell and run without curl. It may use the
 * options {@code -s -i -X -H -d -T -G -o -w --data-urlencode} and a pipe to jq. Anything else is
 * refused, so that no example is misunderstood.
 *
 * @param request the request it sends
 * @param shows the part of the response that it prints
 * @param fields the fields that its jq picks from the response; empty for all
 * @param file the file to which it writes the body of the response, if any
 */
record CurlCommand(HttpRequest request, Shows shows, List<String> fields, Optional<Path> file) {

  enum Shows {
    BODY,
    HEAD_AND_BODY,
    STATUS
  }

  private static final Pattern TOKEN =
      Pattern.compile("\\s+|\\\\\n|'([^']*)'|([^\\s'\"\\\\]+)", Pattern.DOTALL);
  private static final Pattern PICK = Pattern.compile("\\{(\\w+(?:, \\w+)*)}");

  /**
   * Parses a command.
   *
   * @param host replaces {@code localhost:8080}
   * @param folder the folder of its files
   */
  static CurlCommand parse(String command, String host, Path folder) {
    var words = words(command);
    var pipe = words.indexOf("|");
    var fields = pipe < 0 ? List.<String>of() : fields(words.subList(pipe + 1, words.size()));
    var options = words.subList(1, pipe < 0 ? words.size() : pipe).iterator();
    var headers = new LinkedHashMap<String, String>();
    var query = new ArrayList<String>();
    var shows = Shows.BODY;
    String url = null;
    String method = null;
    BodyPublisher body = null;
    var file = Optional.<Path>empty();
    while (options.hasNext()) {
      var option = options.next();
      switch (option) {
        case "-s" -> {}
        case "-i" -> shows = Shows.HEAD_AND_BODY;
        case "-G" -> method = "GET";
        case "-X" -> method = options.next();
        case "-d" -> body = BodyPublishers.ofString(options.next());
        case "-T" -> {
          body = upload(folder.resolve(options.next()));
          method = method == null ? "PUT" : method;
        }
        case "-H" -> {
          var header = options.next().split(": ", 2);
          headers.put(header[0], header[1]);
        }
        case "--data-urlencode" -> {
          var parameter = options.next().split("=", 2);
          query.add(parameter[0] + "=" + URLEncoder.encode(parameter[1], UTF_8));
        }
        case "-o" -> file = Optional.of(folder.resolve(options.next()));
        case "-w" -> {
          expect("%{http_code}\\n", options.next());
          shows = Shows.STATUS;
        }
        default -> {
          if (option.startsWith("-") || url != null) {
            throw new IllegalArgumentException("Option " + option + " of: " + command);
          }
          url = option;
        }
      }
    }
    if (url == null) {
      throw new IllegalArgumentException("No URL in: " + command);
    }
    if (file.isPresent() && shows != Shows.STATUS) {
      throw new IllegalArgumentException("Prints nothing: " + command);
    }
    var target = url.replace("localhost:8080", host);
    if (!query.isEmpty()) {
      target += "?" + String.join("&", query);
    }
    return new CurlCommand(
        request(target, method, body, headers),
        shows,
        fields,
        file.filter(path -> !path.startsWith("/dev/null")));
  }

  private static HttpRequest request(
      String url, String method, BodyPublisher body, Map<String, String> headers) {
    var verb = body == null ? "GET" : "POST";
    var request =
        HttpRequest.newBuilder(URI.create("http://" + url))
            .method(method == null ? verb : method, body == null ? BodyPublishers.noBody() : body);
    headers.forEach(request::header);
    return request.build();
  }

  private static BodyPublisher upload(Path file) {
    try {
      return BodyPublishers.ofFile(file);
    } catch (FileNotFoundException missing) {
      throw new IllegalArgumentException("No example created the file " + file, missing);
    }
  }

  private static List<String> fields(List<String> jq) {
    expect("jq", jq.get(0));
    if (jq.size() == 1) {
      return List.of();
    }
    var pick = PICK.matcher(jq.get(1));
    if (jq.size() > 2 || !pick.matches()) {
      throw new IllegalArgumentException("Unsupported: " + jq);
    }
    return List.of(pick.group(1).split(", "));
  }

  /** Splits a command like a shell. Supports only single quotes and continued lines. */
  private static List<String> words(String command) {
    var words = new ArrayList<String>();
    var token = TOKEN.matcher(command);
    var end = 0;
    var open = false;
    while (end < command.length()) {
      if (!token.find(end) || token.start() != end) {
        throw new IllegalArgumentException("Unsupported at " + end + ": " + command);
      }
      var text = token.group(1) == null ? token.group(2) : token.group(1);
      if (text != null) {
        words.add(open ? words.remove(words.size() - 1) + text : text);
      }
      open = text != null;
      end = token.end();
    }
    return words;
  }

  private static void expect(String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new IllegalArgumentException("Unsupported: " + actual);
    }
  }
}
