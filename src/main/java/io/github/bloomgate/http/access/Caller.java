package io.github.bloomgate.http.access;

import io.github.bloomgate.filters.Ledger;
import io.github.bloomgate.http.connection.ClientAddress;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The permissions and quota of a request's key. */
@Singleton
public class Caller implements Ledger.Quotas {

  private static final String METRICS = "/q/metrics";

  private static final String KEY = Caller.class.getName();

  /** The key of a request that has not been checked yet. */
  private static final String SENT = KEY + ".sent";

  private final ApiKeys keys;
  private final RefusalMeters meters;

  Caller(ApiKeys keys, RefusalMeters meters) {
    this.keys = keys;
    this.meters = meters;
  }

  /** The quota of the current key with an id, without limits if there is none. */
  @Override
  public Quota of(String owner) {
    return keys.named(owner).map(ApiKey::quota).orElseGet(() -> new Quota(owner, 0, 0));
  }

  /**
   * Checks the key of a request to the API, before everything else that depends on the key.
   *
   * @throws BloomException UNAUTHENTICATED, or FORBIDDEN if the key does not have the role
   */
  public void requireRole(RoutingContext context, Role needed) {
    // Without keys only local clients get this far, and they may do everything.
    var key = keys.areRequired() ? requireKey(context) : ApiKey.LOCAL;
    if (!key.role().includes(needed)) {
      meters.count(RefusalMeters.Reason.ROLE);
      throw forbidden(
          "This call needs the role %s; the key '%s' has the role %s. Use another key."
              .formatted(needed.roleName(), key.id(), key.role().roleName()));
    }
    context.put(KEY, key);
  }

  /**
   * Checks the key of a long response again, because keys can be revoked.
   *
   * @throws BloomException UNAUTHENTICATED or FORBIDDEN
   */
  public void requireAgain(RoutingContext context, Role needed, String name) {
    identify(context);
    requireRole(context, needed);
    requireName(context, name);
  }

  /**
   * Checks that the key may use the name of a filter, or a Redis key, which must match its prefixes
   * in the same way.
   *
   * @throws BloomException FORBIDDEN if the key is limited to other names
   */
  public void requireName(RoutingContext context, String name) {
    var identity = identity(context);
    if (!identity.scope().includes(name)) {
      throw nameForbidden(identity);
    }
  }

  /**
   * Checks that the API key may use a library's bitmap and companion key.
   *
   * @throws BloomException FORBIDDEN if the API key is limited to other names
   */
  public void requireAdoptedKey(RoutingContext context, AdoptedKey key) {
    requireName(context, key.redisKey());
    var identity = identity(context);
    var companion = key.companionKey();
    if (companion.isPresent() && !identity.scope().includes(companion.get())) {
      meters.count(RefusalMeters.Reason.NAME);
      throw forbidden(
          "The key '%s' is limited to names that begin with %s, but the library also keeps '%s'. Use another key, or ask the operator for a prefix that covers it."
              .formatted(identity.id(), identity.scope(), companion.get()));
    }
  }

  /**
   * Checks the key of a request for metrics. They include all filters, so a key limited to some
   * names may not read them.
   *
   * @throws BloomException UNAUTHENTICATED or FORBIDDEN
   */
  public void requireKeyForMetrics(RoutingContext context) {
    if (keys.areRequired() && context.normalizedPath().startsWith(METRICS)) {
      var key = requireKey(context);
      if (!key.scope().isAll()) {
        throw nameForbidden(key);
      }
    }
  }

  private ApiKey requireKey(RoutingContext context) {
    Optional<ApiKey> key = context.get(SENT);
    if (key.isEmpty()) {
      var header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
      meters.count(RefusalMeters.Reason.KEY);
      // Does not reveal which part of the key is wrong.
      throw BloomException.of(
          ErrorCode.UNAUTHENTICATED,
          header == null
              ? "The request has no API key. Send it as Authorization: Bearer <key>, or as the password of Basic authentication."
              : "The Authorization header has no known API key. Send one as Bearer <key>, or as the password of Basic authentication, or ask the operator whether yours was replaced.");
    }
    return key.get();
  }

  private BloomException nameForbidden(ApiKey key) {
    meters.count(RefusalMeters.Reason.NAME);
    // The same for a name without a filter.
    return forbidden(
        "The key '%s' is limited to names that begin with %s, but this request concerns others. Use another key."
            .formatted(key.id(), key.scope()));
  }

  private static BloomException forbidden(String message) {
    return BloomException.of(ErrorCode.FORBIDDEN, message);
  }

  /**
   * The client that a request counts as when clients share resources. Without keys, all are one.
   */
  public Client client(RoutingContext context) {
    var id = keys.areRequired() ? identity(context).id() : Shares.NO_CLIENT;
    return new Client(id, context.response()::closed);
  }

  /**
   * Finds out whose share of the service a request uses, before anything else is done for it: its
   * key's or, without a known one, its address's.
   */
  public String identify(RoutingContext context) {
    var key =
        keys.areRequired()
            ? Optional.ofNullable(context.request().getHeader(HttpHeaders.AUTHORIZATION))
                .flatMap(keys::of)
            : Optional.<ApiKey>empty();
    context.put(SENT, key);
    return key.map(ApiKey::id).orElseGet(() -> ClientAddress.of(context.request()));
  }

  /** The key of a request to the API. */
  public ApiKey identity(RoutingContext context) {
    return context.get(KEY);
  }
}
