package io.github.bloomgate.http.request;

import io.github.bloomgate.http.openapi.ApiDefinition;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Which rebuild a client means. */
public final class RebuildId {

  private RebuildId() {}

  /** The {@code id} of a query; empty for whichever rebuild is open. */
  public static Optional<String> of(RoutingContext context) {
    return StrictQuery.value(context, ApiDefinition.REBUILD_ID);
  }
}
