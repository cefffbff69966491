package io.github.bloomgate.http.access;

import io.github.bloomgate.filters.GrowthQuotas;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.http.security.ApiKey;
import io.github.bloomgate.http.security.ApiKeys;
import io.github.bloomgate.model.FilterName;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/**
 * The quotas of the keys that own the name of a filter: those with the longest prefix that it
 * begins with. A key without prefixes has the shortest.
 */
@ApplicationScoped
public class OwnersQuotas implements GrowthQuotas {

  private final ApiKeys keys;

  OwnersQuotas(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public List<Quota> of(FilterName name) {
    var all = keys.all();
    var longest = all.stream().mapToInt(key -> prefix(key, name)).max().orElse(-1);
    return all.stream()
        .filter(key -> longest >= 0 && prefix(key, name) == longest)
        .filter(key -> key.quota().maxBytes() > 0)
        // The filter is there already, so their number stays.
        .map(
            key ->
                new Quota(Optional.of(key.id()), key.scope().within(""), 0, key.quota().maxBytes()))
        .toList();
  }

  /** The length of the prefix that lets a key use a name; -1 if it may not. */
  private static int prefix(ApiKey key, FilterName name) {
    return key.scope().within("").stream()
        .filter(name.value()::startsWith)
        .mapToInt(String::length)
        .max()
        .orElse(-1);
  }
}
