package io.github.bloomgate.http.contract;

import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Compares the Accept header with the media types of an operation. The framework reads only the
 * first line of the header, and treats {@code q=0} as yes.
 *
 * <p>A client that accepts any JSON type accepts JSON: generated clients often send only {@code
 * application/problem+json}, the type of errors. A client that names this type alone accepts any
 * answer.
 */
final class AcceptHeader {

  /**
   * One range of a header.
   *
   * @param quality the preference of the client; 0 for a refusal
   */
  private record Range(String type, String subtype, double quality) {

    /** How specifically it names a type; 0 if it does not match. */
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

  private AcceptHeader() {}

  /**
   * The answers that the client accepts.
   *
   * @param lines of the header; none if the client did not send it
   */
  static List<String> accepted(List<String> lines, List<String> answers) {
    if (lines.isEmpty() || lines.equals(List.of(MediaType.WILDCARD))) {
      return answers;
    }
    if (lines.size() == 1 && answers.contains(lines.get(0))) {
      return lines;
    }
    var ranges =
        lines.stream()
            .flatMap(line -> Arrays.stream(line.split(",")))
            .flatMap(AcceptHeader::range)
            .toList();
    return answers.stream()
        .filter(answer -> isAccepted(MediaType.valueOf(answer), ranges))
        .toList();
  }

  /** By the ranges that name the type most closely. */
  private static boolean isAccepted(MediaType answer, List<Range> ranges) {
    var closest = ranges.stream().mapToInt(range -> range.match(answer)).max().orElse(0);
    return closest > 0
        && ranges.stream().anyMatch(range -> range.match(answer) == closest && range.quality > 0);
  }

  /** Parses a part of a header; empty if it is malformed, as a lone star is. */
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
