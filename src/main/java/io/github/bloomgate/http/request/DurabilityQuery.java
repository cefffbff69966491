package io.github.bloomgate.http.request;

import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The parameter of a query that says what an add must reach before it is answered. */
public final class DurabilityQuery {

  public static final String NAME = "durability";

  private static final String PRIMARY = "primary";
  private static final String REPLICATED = "replicated";

  private DurabilityQuery() {}

  /**
   * Reads it.
   *
   * @throws BloomException INVALID_REQUEST for a value that is none
   */
  public static Durability of(RoutingContext context) {
    return switch (StrictQuery.value(context, NAME).orElse(PRIMARY)) {
      case PRIMARY -> Durability.PRIMARY;
      case REPLICATED -> Durability.REPLICATED;
      default -> {
        var message = "must be " + PRIMARY + " or " + REPLICATED;
        throw RequestErrors.invalid(
            "%s %s. Send one of them.".formatted(NAME, message),
            List.of(new Violation("query", NAME, message)));
      }
    };
  }
}
