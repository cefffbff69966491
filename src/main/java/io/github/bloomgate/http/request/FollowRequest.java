package io.github.bloomgate.http.request;

import io.github.bloomgate.follow.Known;
import io.github.bloomgate.follow.Resume;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.constraints.Size;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The request to continue to follow a filter.
 *
 * @param incarnation of the content that the client has
 * @param resume where it was, in hexadecimal digits
 * @param marks of the segments it has, by index, in hexadecimal digits
 */
public record FollowRequest(
    @Size(max = 64) String incarnation, String resume, Map<String, String> marks)
    implements JsonBody.OptionalBody {

  private static final int MARK_DIGITS = 16;

  /**
   * What the client has; empty if it has nothing.
   *
   * @throws BloomException INVALID_REQUEST if a field is malformed
   */
  public Optional<Known> known() {
    return Optional.ofNullable(incarnation)
        .map(some -> new Known(some, Optional.ofNullable(resume).map(this::place), markBytes()));
  }

  private Resume place(String hex) {
    try {
      return Resume.parse(hex);
    } catch (IllegalArgumentException malformed) {
      throw RequestErrors.invalid(
          "The field resume must have 32 hexadecimal digits: the last 16 bytes of an AT frame. Leave it out if there is none.");
    }
  }

  private Map<Integer, byte[]> markBytes() {
    var bytes = new HashMap<Integer, byte[]>();
    if (marks != null) {
      marks.forEach((segment, mark) -> bytes.put(index(segment), mark(mark)));
    }
    return bytes;
  }

  private static int index(String segment) {
    if (!segment.matches("\\d{1,6}")) {
      throw malformed();
    }
    return Integer.parseInt(segment);
  }

  private static byte[] mark(String hex) {
    if (hex == null || !hex.matches("[0-9a-fA-F]{%d}".formatted(MARK_DIGITS))) {
      throw malformed();
    }
    return HexFormat.of().parseHex(hex);
  }

  private static BloomException malformed() {
    return RequestErrors.invalid(
        "The field marks must have the index of a segment as each name, and 16 hexadecimal digits as its value.");
  }
}
