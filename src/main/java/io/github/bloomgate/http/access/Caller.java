package io.github.bloomgate.http.access;

import io.github.bloomgate.filters.OwnerQuotas;
import io.github.bloomgate.http.security.ApiKey;
import io.github.bloomgate.http.security.ApiKeys;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The permissions and quota of a request's key. */
@Singleton
public class Caller implements OwnerQuotas {

  /** The prefix of the service's own Redis keys, which limited API keys must not name. */
  private static final String OWN_REDIS_KEYS = "bloom:";

  private static final String METRICS = "/q/metrics";

  private static final String KEY = Caller.class.getName();

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
    if (key.role().compareTo(needed) < 0) {
      meters.count(RefusalMeters.Reason.ROLE);
      throw AccessErrors.roleNeeded(key.id(), key.role().roleName(), needed.roleName());
    }
    context.put(KEY, key);
  }

  /**
   * Checks that the key may use a filter's name.
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
   * Checks that the API key may use a Redis key, which must match its prefixes like the name of a
   * filter.
   *
   * @throws BloomException FORBIDDEN if the API key is limited to other names
   */
  public void requireRedisKey(RoutingContext context, String redisKey) {
    requireName(context, redisKey);
    var identity = identity(context);
    if (!identity.scope().isAll() && redisKey.startsWith(OWN_REDIS_KEYS)) {
      throw nameForbidden(identity);
    }
  }

  /**
   * Checks that the API key may use a library's bitmap and companion key.
   *
   * @throws BloomException FORBIDDEN if the API key is limited to other names
   */
  public void requireAdoptedKey(RoutingContext context, AdoptedKey key) {
    requireRedisKey(context, key.redisKey());
    var identity = identity(context);
    var companion = key.companionKey();
    if (companion.isPresent() && !identity.scope().includes(companion.get())) {
      meters.count(RefusalMeters.Reason.NAME);
      throw AccessErrors.companionForbidden(identity.id(), identity.scope(), companion.get());
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
    var header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    var key = Optional.ofNullable(header).flatMap(keys::of);
    if (key.isEmpty()) {
      meters.count(RefusalMeters.Reason.KEY);
      throw header == null ? AccessErrors.missingKey() : AccessErrors.unknownKey();
    }
    return key.get();
  }

  private BloomException nameForbidden(ApiKey key) {
    meters.count(RefusalMeters.Reason.NAME);
    return AccessErrors.nameForbidden(key.id(), key.scope());
  }

  /**
   * The client that a request counts as when clients share resources. Without keys, all are one.
   */
  public String client(RoutingContext context) {
    return keys.areRequired() ? identity(context).id() : Shares.NO_CLIENT;
  }

  /** The key of a request to the API. */
  public ApiKey identity(RoutingContext context) {
    return context.get(KEY);
  }
}
