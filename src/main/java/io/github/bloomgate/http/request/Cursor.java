package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The place in the list of filters where the next page begins, opaque to clients. */
public final class Cursor {

  private Cursor() {}

  public static String of(FilterName last) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(last.value().getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * The name to continue after.
   *
   * @throws BloomException INVALID_REQUEST if the text is not a cursor
   */
  public static FilterName parse(String cursor) {
    try {
      var name = Base64.getUrlDecoder().decode(cursor);
      return new FilterName(new String(name, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException | BloomException malformed) {
      throw RequestErrors.invalid(
          "The cursor is not one. Send the nextCursor of the page before as it was, or none.");
    }
  }
}
