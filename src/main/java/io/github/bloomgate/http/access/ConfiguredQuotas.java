package io.github.bloomgate.http.access;

import io.github.bloomgate.filters.OwnerQuotas;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.http.security.ApiKey;
import io.github.bloomgate.http.security.ApiKeys;
import io.github.bloomgate.http.security.KeyQuota;
import jakarta.enterprise.context.ApplicationScoped;

/** The quotas of the current keys. */
@ApplicationScoped
public class ConfiguredQuotas implements OwnerQuotas {

  private final ApiKeys keys;

  ConfiguredQuotas(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public Quota of(String owner) {
    var quota =
        keys.all().stream()
            .filter(key -> key.id().equals(owner))
            .map(ApiKey::quota)
            .findFirst()
            .orElse(KeyQuota.NONE);
    return new Quota(owner, quota.maxFilters(), quota.maxBytes());
  }
}
