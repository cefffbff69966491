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
 * Says the Accept header of a request in the types that the service answers with, before the
 * framework reads it, which looks for names in its first line only and takes {@code q=0} for yes.
 *
 * <p>A client that accepts a JSON type of any name accepts JSON: clients made from the contract
 * often send the first one that it has, {@code application/problem+json}. As that is the type of
 * errors alone, a client that names it and nothing else accepts any answer.
 */
final class AcceptedTypes {

  private static final String API = "/v1/";

  /** What no operation answers with. */
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
   * @param quality how much the client wants it; 0 for not at all
   */
  private record Range(String type, String subtype, double quality) {

    /** How closely it names a type: 0 for not at all, the higher the closer. */
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

  /** Whether a request is for the API, so that its Accept header says just these types. */
  static boolean isApi(RoutingContext context) {
    var path = context.request().path();
    return path != null && path.startsWith(API);
  }

  /** The types that a header accepts, as a header of their names alone. */
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

  /** What the range says that names a type most closely. */
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

  /** What a part of a header says; nothing if it is malformed, as a lone star is. */
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
