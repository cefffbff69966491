package io.github.bloomgate.api;

import io.github.bloomgate.error.BloomException;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Which rebuild a client means. Read by itself: the framework takes an empty id for none, and a
 * client whose id is lost means no other rebuild.
 */
final class RebuildId {

  private RebuildId() {}

  /**
   * The {@code id} of a query; empty for whichever rebuild is open.
   *
   * @param others names of parameters that the caller reads
   * @throws BloomException INVALID_REQUEST if there is a parameter that is not known
   */
  static Optional<String> of(HttpServerRequest request, String... others) {
    var names = new HashSet<>(List.of(others));
    names.add(ApiDefinition.REBUILD_ID);
    return Optional.ofNullable(StrictQuery.read(request, names).get(ApiDefinition.REBUILD_ID))
        .map(ids -> ids.get(0));
  }
}
