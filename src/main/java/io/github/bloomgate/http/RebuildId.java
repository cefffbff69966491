package io.github.bloomgate.http;

import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Which rebuild a client means. */
final class RebuildId {

  private RebuildId() {}

  /** The {@code id} of a query; empty for whichever rebuild is open. */
  static Optional<String> of(RoutingContext context) {
    return StrictQuery.value(context, ApiDefinition.REBUILD_ID);
  }
}
