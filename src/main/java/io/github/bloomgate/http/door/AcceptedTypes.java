package io.github.bloomgate.http.door;

import io.github.bloomgate.http.problem.MediaTypes;
import io.github.bloomgate.model.lines.LineFormat;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rewrites the Accept header to the types that the service sends, before the framework reads it,
 * which looks only at the first line and ignores {@code q=0}.
 *
 * <p>A client that accepts any JSON type accepts JSON: generated clients often send the first type
 * in the contract, {@code application/problem+json}. Because that is only the type of errors, a
 * client that accepts nothing else gets any response.
 */
final class AcceptedTypes {

  private static final String API = "/v1/";

  /** A type that no operation sends. */
  private static final String NONE = "none/none";

  private static final List<MediaType> ANSWERS =
      Stream.of(
              MediaType.APPLICATION_JSON,
              LineFormat.TEXT_TYPE,
              LineFormat.NDJSON_TYPE,
              MediaType.APPLICATION_OCTET_STREAM)
          .map(MediaType::valueOf)
          .toList();

  /**
   * One range of a header.
   *
   * @param quality the client's preference; 0 excludes the range
   */
  private record Range(String type, String subtype, double quality) {

    /** How specifically it matches a type; 0 for no match. */
    int match(MediaType answer) {
      if (type.equals("*")) {
        return subtype.equals("*") ? 1 : 0;
      }
      if (type.equals(answer.getType())) {
        if (subtype.equals(answer.getSubtype())) {
          return 4;
        }
        if (subtype.equals("*")) {
          return 2;
        }
      }
      var isJson = subtype.endsWith("+json") || subtype.equals("json");
      if (isJson && answer.equals(MediaType.APPLICATION_JSON_TYPE)) {
        return 3;
      }
      return type.equals("application") && subtype.equals("problem+json") ? 1 : 0;
    }
  }

  private AcceptedTypes() {}

  static void say(RoutingContext context) {
    var headers = context.request().headers();
    if (headers.contains(HttpHeaders.ACCEPT) && isApi(context)) {
      var sent = headers.getAll(HttpHeaders.ACCEPT);
      MediaTypes.keepAccept(context, sent);
      var said = said(sent);
      headers.set(HttpHeaders.ACCEPT, said);
    }
  }

  /** Whether a request is for the API, so that these types apply. */
  static boolean isApi(RoutingContext context) {
    var path = context.request().path();
    return path != null && path.startsWith(API);
  }

  /** The accepted types, as a header without parameters. */
  public static String said(List<String> lines) {
    if (lines.size() == 1 && lines.get(0).equals(MediaType.APPLICATION_JSON)) {
      return MediaType.APPLICATION_JSON;
    }
    var ranges =
        lines.stream()
            .flatMap(line -> Arrays.stream(line.split(",")))
            .flatMap(AcceptedTypes::range)
            .toList();
    var accepted =
        ANSWERS.stream()
            .flatMap(answer -> wanted(answer, quality(answer, ranges)))
            .collect(Collectors.joining(", "));
    return accepted.isEmpty() ? NONE : accepted;
  }

  private static Stream<String> wanted(MediaType answer, double quality) {
    var name = answer.getType() + "/" + answer.getSubtype();
    return quality == 0
        ? Stream.empty()
        : Stream.of(quality == 1 ? name : "%s;q=%s".formatted(name, quality));
  }

  /** The quality from the most specific matching range. */
  private static double quality(MediaType answer, List<Range> ranges) {
    var closest = 0;
    var quality = 0.0;
    for (var range : ranges) {
      var match = range.match(answer);
      if (match > 0 && match >= closest) {
        quality = match > closest ? range.quality : Math.max(quality, range.quality);
        closest = match;
      }
    }
    return quality;
  }

  /** Parses one range; empty if it is malformed, such as a single star. */
  private static Stream<Range> range(String text) {
    if (!text.contains("/")) {
      return Stream.empty();
    }
    try {
      var range = MediaType.valueOf(text.strip().toLowerCase(Locale.ROOT));
      var quality = Double.parseDouble(range.getParameters().getOrDefault("q", "1"));
      return quality >= 0 && quality <= 1
          ? Stream.of(new Range(range.getType(), range.getSubtype(), quality))
          : Stream.empty();
    } catch (IllegalArgumentException malformed) {
      return Stream.empty();
    }
  }
}
