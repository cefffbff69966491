package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A primary and its replicas, without sentinels. Asks each configured host for its role; if none is
 * a primary, follows replicas to theirs. Used on the link's event loop only.
 */
final class ReplicatedHosts {
  private final Vertx vertx;
  private final Supplier<RedisOptions> options;
  private final Duration timeout;

  ReplicatedHosts(Vertx vertx, Supplier<RedisOptions> options, Duration timeout) {
    this.vertx = vertx;
    this.options = options;
    this.timeout = timeout;
  }

  /** The options for the primary. Fails if there are several, because only one has all adds. */
  Future<RedisOptions> find() {
    return roles(options.get().getEndpoints())
        .compose(
            known ->
                primaries(known).isEmpty()
                    ? roles(primariesOfReplicas(known.values()))
                    : Future.succeededFuture(known))
        .compose(known -> only(primaries(known)));
  }

  /** The roles of those that reply in time. */
  private Future<Map<String, Role>> roles(Collection<String> addresses) {
    var roles = new HashMap<String, Role>();
    var asked =
        addresses.stream()
            .distinct()
            .map(address -> role(address).onSuccess(role -> roles.put(address, role)))
            .toList();
    return asked.isEmpty()
        ? Future.succeededFuture(roles)
        : Future.join(asked).transform(all -> Future.succeededFuture(roles));
  }

  private Future<Role> role(String address) {
    return Session.open(vertx, Primary.at(options.get(), address), timeout)
        .map(
            session -> {
              session.close();
              return session.role();
            });
  }

  private List<String> primariesOfReplicas(Collection<Role> roles) {
    var own = RedisAddress.parse(options.get().getEndpoint());
    return roles.stream()
        .filter(role -> role.kind() == Role.Kind.REPLICA)
        .map(role -> own.of(role.host(), role.port()))
        .toList();
  }

  private static List<String> primaries(Map<String, Role> roles) {
    return roles.entrySet().stream()
        .filter(one -> one.getValue().kind() == Role.Kind.PRIMARY)
        .map(Map.Entry::getKey)
        .toList();
  }

  private Future<RedisOptions> only(List<String> primaries) {
    return switch (primaries.size()) {
      case 0 ->
          Future.failedFuture(
              new NoPrimaryException("none of the hosts replies that it is a primary"));
      case 1 -> Future.succeededFuture(Primary.at(options.get(), primaries.get(0)));
      default ->
          Future.failedFuture(
              new NoPrimaryException(
                  "%d of the hosts are primaries; make the outdated ones replicas of the current one"
                      .formatted(primaries.size())));
    };
  }
}
