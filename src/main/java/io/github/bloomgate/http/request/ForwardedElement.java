package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the element in a client's request that a proxy passes on: in a header, or in a parameter of
 * its URL.
 *
 * <p>The program behind the proxy reads the same request with other code. Everything that programs
 * are known to read differently is refused, so that none uses a value that was not checked. Errors
 * never contain the request.
 */
final class ForwardedElement {

  private static final String URI = "X-Forwarded-Uri";

  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /**
   * Other text is trimmed, decoded twice, cut off or taken for two values by some programs. A comma
   * joins the values of two headers.
   */
  private static final Pattern ELEMENT = Pattern.compile("[!-~&&[^%,;&?#]]+");

  private static final Pattern VISIBLE = Pattern.compile("[!-~]*");

  /** Some programs take these for the beginning of a query, or separate parameters by them. */
  private static final Pattern AMBIGUOUS_PATH = Pattern.compile("[?#;&%\\\\\\x00-\\x1f\\x7f]");

  private static final Pattern AMBIGUOUS_QUERY = Pattern.compile("[?#;]");

  private static final int HEX = 16;
  private static final Pattern ENCODING = Pattern.compile("%([0-9A-Fa-f]{2})");
  private static final Pattern MALFORMED = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  /** No known program decodes a query more often. */
  private static final int MOST_DECODINGS = 3;

  private ForwardedElement() {}

  /**
   * Returns the element in a header.
   *
   * @throws BloomException INVALID_REQUEST if the name is malformed, or there is not exactly one
   *     such header with one value
   */
  static String inHeader(MultiMap headers, String name) {
    if (!HEADER.matcher(name).matches()) {
      throw RequestErrors.invalid(
          "elementHeader must be the name of a header: up to 64 letters, digits and hyphens. Correct it in the proxy.");
    }
    var text = single(headers, name, "the header in elementHeader");
    if (!ELEMENT.matcher(text).matches()) {
      throw RequestErrors.invalid(
          "The header that elementHeader names must have a value of visible ASCII characters other than % , ; & ? #. Programs read others differently. Encode the element, and say so with encoding.");
    }
    return text;
  }

  /**
   * Returns the element in the URL that the client sent, according to the proxy.
   *
   * @throws BloomException INVALID_REQUEST if there is not exactly one such header; all of {@link
   *     #inTarget}
   */
  static String inForwardedUri(MultiMap headers, String parameter) {
    return inTarget(single(headers, URI, "the header " + URI), parameter);
  }

  /**
   * Returns the element in a parameter of a path with a query.
   *
   * @throws BloomException INVALID_REQUEST if the name is malformed, programs could read the target
   *     differently, or it does not have exactly one such parameter
   */
  static String inTarget(String target, String parameter) {
    if (!PARAMETER.matcher(parameter).matches()) {
      throw RequestErrors.invalid(
          "elementParameter must be the name of a parameter: up to 64 letters, digits, hyphens and underscores. Correct it in the proxy.");
    }
    var end = target.indexOf('?');
    var path = end < 0 ? target : target.substring(0, end);
    var query = end < 0 ? "" : target.substring(end + 1);
    if (!path.startsWith("/")
        || !VISIBLE.matcher(target).matches()
        || AMBIGUOUS_PATH.matcher(decoded(path)).find()
        || AMBIGUOUS_QUERY.matcher(query).find()) {
      throw ambiguous();
    }
    return element(query, parameter);
  }

  private static String element(String query, String parameter) {
    var nested = Pattern.compile("[&;?][^a-z0-9]*" + Pattern.quote(folded(parameter)));
    String found = null;
    for (var part : query.split("&", -1)) {
      var equals = part.indexOf('=');
      var name = equals < 0 ? part : part.substring(0, equals);
      // Otherwise it may be another spelling of the parameter, such as c%6Fde, code[] or +code.
      if (!query.isEmpty() && !PARAMETER.matcher(name).matches()) {
        throw ambiguous();
      }
      var value = equals < 0 ? "" : part.substring(equals + 1);
      var text = decoded(value);
      refuseNested(text, nested);
      if (folded(name).equals(folded(parameter))) {
        if (found != null || !name.equals(parameter) || value.indexOf('+') >= 0) {
          throw ambiguous();
        }
        found = text;
      }
    }
    if (found == null || !ELEMENT.matcher(found).matches()) {
      throw RequestErrors.invalid(
          "The client's URL must have the parameter that elementParameter names, with a value of visible ASCII characters other than % , ; & ? #. Programs read others differently.");
    }
    return found;
  }

  /** Some programs decode the query before they split it, and some decode it more than once. */
  private static void refuseNested(String value, Pattern nested) {
    var text = value;
    for (var times = 1; times <= MOST_DECODINGS; times++) {
      if (nested.matcher(folded(text)).find()) {
        throw ambiguous();
      }
      if (!ENCODING.matcher(text).find()) {
        return;
      }
      text = leniently(text);
    }
    throw ambiguous();
  }

  /** The only header of a name, which is also the only one for programs that ignore hyphens. */
  private static String single(MultiMap headers, String name, String source) {
    var values = new ArrayList<String>();
    for (var header : headers) {
      if (folded(header.getKey()).equals(folded(name))) {
        if (!header.getKey().equalsIgnoreCase(name)) {
          throw RequestErrors.invalid(
              "The request has a header that some programs take for %s, because of an underscore. Let the proxy remove it."
                  .formatted(source));
        }
        values.add(header.getValue());
      }
    }
    if (values.size() != 1) {
      throw RequestErrors.invalid(
          "The request has %s %d times, and needs it once. Let the proxy set it, and refuse requests without it."
              .formatted(source, values.size()));
    }
    return values.get(0);
  }

  /** The same for all spellings that programs may take for the same name. */
  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[_. ]", "-");
  }

  /** Decodes percent encodings once, and refuses what is none. Each char is one byte. */
  private static String decoded(String text) {
    if (MALFORMED.matcher(text).find()) {
      throw ambiguous();
    }
    return leniently(text);
  }

  private static String leniently(String text) {
    return ENCODING
        .matcher(text)
        .replaceAll(
            encoding ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(encoding.group(1), HEX))));
  }

  private static BloomException ambiguous() {
    return RequestErrors.invalid(
        "Programs read the client's URL in different ways, so it is refused. It needs a path from the root, names of letters, digits, hyphens and underscores, one parameter of the name in elementParameter, no plus sign in it, and no second '?', ';' or '#'.");
  }
}
