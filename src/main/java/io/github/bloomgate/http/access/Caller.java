package io.github.bloomgate.http.access;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.http.security.ApiKeys;
import io.github.bloomgate.http.security.KeyIdentity;
import io.github.bloomgate.http.security.NameScope;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** What the key of a request may do with names, and how much of it. */
@Singleton
public class Caller {

  /** Keys of the service itself, which no key that is limited may name. */
  private static final String OWN_REDIS_KEYS = "bloom:";

  private final ApiKeys keys;
  private final RefusalMeters meters;

  Caller(ApiKeys keys, RefusalMeters meters) {
    this.keys = keys;
    this.meters = meters;
  }

  /** The names that the key of a request may use. */
  public NameScope scope(RoutingContext context) {
    return identity(context).scope();
  }

  /** The quota of the key of a request, which owns the filters that it creates. */
  public Quota quota(RoutingContext context) {
    var identity = identity(context);
    var quota = identity.quota();
    var owner = keys.areRequired() ? identity.id() : "";
    return new Quota(owner, quota.maxFilters(), quota.maxBytes());
  }

  /**
   * Lets a request pass that names a filter.
   *
   * @throws BloomException FORBIDDEN if the key is limited to others
   */
  public void requireName(RoutingContext context, String name) {
    require(context, scope(context).includes(name));
  }

  /** Why a request that names a filter is refused; empty if its key may use the name. */
  public Optional<BloomException> nameRefusal(RoutingContext context, String name) {
    return refusal(context, scope(context).includes(name));
  }

  /**
   * Lets a request pass that names a key in Redis, which is subject to the prefixes like the name
   * of a filter.
   *
   * @throws BloomException FORBIDDEN if the key of the request is limited to others
   */
  public void requireRedisKey(RoutingContext context, String redisKey) {
    var scope = scope(context);
    require(
        context,
        scope.isAll() || (scope.includes(redisKey) && !redisKey.startsWith(OWN_REDIS_KEYS)));
  }

  /**
   * Lets a request pass that adopts or deletes the bitmap of a library, with what the library keeps
   * beside it.
   *
   * @throws BloomException FORBIDDEN if the key of the request is limited to others
   */
  public void requireAdoptedKey(RoutingContext context, AdoptedKey key) {
    requireRedisKey(context, key.redisKey());
    key.companionKey()
        .filter(companion -> !scope(context).includes(companion))
        .ifPresent(
            companion -> {
              meters.count(RefusalMeters.Reason.NAME);
              var identity = identity(context);
              throw AccessErrors.companionForbidden(identity.id(), identity.scope(), companion);
            });
  }

  private void require(RoutingContext context, boolean isIncluded) {
    var refusal = refusal(context, isIncluded);
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  private Optional<BloomException> refusal(RoutingContext context, boolean isIncluded) {
    if (isIncluded) {
      return Optional.empty();
    }
    meters.count(RefusalMeters.Reason.NAME);
    var identity = identity(context);
    return Optional.of(AccessErrors.nameForbidden(identity.id(), identity.scope()));
  }

  /**
   * In whose name a request takes a part of what clients share. While there are no keys, clients
   * are not told apart.
   */
  public String client(RoutingContext context) {
    return keys.areRequired() ? identity(context).id() : Shares.NO_CLIENT;
  }

  /** Who sends a request; the operation has asked for a role before, so that it is known. */
  public KeyIdentity identity(RoutingContext context) {
    if (!keys.areRequired()) {
      return KeyIdentity.LOCAL;
    }
    if (context.user() instanceof QuarkusHttpUser user
        && user.getSecurityIdentity() instanceof KeyIdentity identity) {
      return identity;
    }
    throw new UnauthorizedException();
  }
}
