package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The name after which the next page of a list begins, opaque to clients. */
public final class Cursor {

  private Cursor() {}

  public static String of(FilterName name) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(name.value().getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * The name to continue after.
   *
   * @throws BloomException INVALID_REQUEST if the text is not a cursor
   */
  public static FilterName parse(String cursor) {
    try {
      return new FilterName(
          new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException | BloomException malformed) {
      throw RequestErrors.invalid(
          "The cursor is malformed. Send the nextCursor of the previous page unchanged, or none.");
    }
  }
}
