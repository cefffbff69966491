package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The media type of a response. A server that sends another type than the format of the source
 * sends something else, such as a login page.
 */
final class ResponseType {

  /** Types of files that the server does not know, or only as compressed. */
  private static final List<String> UNSPECIFIC =
      List.of(
          "application/octet-stream",
          "binary/octet-stream",
          "application/gzip",
          "application/x-gzip");

  private static final List<String> TEXT =
      List.of(LineFormat.TEXT_TYPE, "text/csv", "text/tab-separated-values");

  private static final List<String> NDJSON =
      List.of(
          LineFormat.NDJSON_TYPE,
          "application/ndjson",
          "application/jsonl",
          "application/x-jsonlines",
          LineFormat.TEXT_TYPE);

  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s\";]+)", Pattern.CASE_INSENSITIVE);

  private ResponseType() {}

  /**
   * Compares the type of a response with the format of a source.
   *
   * @param type the header, if any
   * @return SOURCE_UNREADABLE if they differ
   */
  static Optional<BloomException> refusal(Optional<String> type, LineFormat format) {
    var accepted = format == LineFormat.TEXT ? TEXT : NDJSON;
    return type.map(ResponseType::withoutParameters)
        .filter(name -> !name.isEmpty() && !UNSPECIFIC.contains(name) && !accepted.contains(name))
        .map(name -> refused(name, accepted));
  }

  private static BloomException refused(String name, List<String> accepted) {
    var others = new ArrayList<>(accepted);
    others.add(UNSPECIFIC.get(0));
    return RebuildErrors.sourceUnreadable(
        "The source's server responded with Content-Type '%s'%s. For this format of the source it must be one of %s, or missing. Check the url and the format."
            .formatted(
                RequestErrors.shown(name),
                name.contains("html") ? ", perhaps a login or an error page" : "",
                String.join(", ", others)));
  }

  private static String withoutParameters(String type) {
    return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /**
   * The charset that lines must be in. Servers declare others without looking into a file, so those
   * are ignored.
   */
  static Optional<Charset> charset(Optional<String> type) {
    return type.map(CHARSET::matcher)
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .flatMap(
            name ->
                Stream.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII)
                    .filter(charset -> charset.name().equalsIgnoreCase(name))
                    .findFirst());
  }
}
