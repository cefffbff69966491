package io.github.bloomgate.http.request;

import io.github.bloomgate.filters.FilterOrder;
import io.github.bloomgate.filters.Place;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The place in a list of filters where the next page begins, opaque to clients: the name in the
 * order of names; else the order and the rank too, with spaces between, which no name has.
 */
public final class Cursor {

  private static final String BETWEEN = " ";
  private static final int PARTS = 3;

  private Cursor() {}

  public static String of(FilterOrder order, Place place) {
    var name = place.name().value();
    var text =
        order == FilterOrder.NAME
            ? name
            : String.join(BETWEEN, order.name(), Double.toString(place.rank()), name);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * The place to continue behind.
   *
   * @throws BloomException INVALID_REQUEST if the text is not a cursor of that order
   */
  public static Place parse(FilterOrder order, String cursor) {
    try {
      var text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      if (order == FilterOrder.NAME) {
        return Place.of(new FilterName(text));
      }
      var parts = text.split(BETWEEN, -1);
      if (parts.length == PARTS && parts[0].equals(order.name())) {
        return new Place(Double.parseDouble(parts[1]), new FilterName(parts[2]));
      }
      throw malformed();
    } catch (IllegalArgumentException | BloomException malformed) {
      throw malformed();
    }
  }

  private static BloomException malformed() {
    return RequestErrors.invalid(
        "The cursor is not one of this order. Send the nextCursor of the page before as it was, or none.");
  }
}
