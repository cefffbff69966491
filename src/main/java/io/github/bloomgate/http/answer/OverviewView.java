package io.github.bloomgate.http.answer;

import io.github.bloomgate.http.access.ApiKey;
import io.github.bloomgate.model.StoreMemory;
import java.util.List;

/** The key and the state of the service. */
public record OverviewView(Key key, long filters, StoreMemory redis, Work work) {

  public record Key(String id, String role, List<String> prefixes, long maxFilters, long maxBytes) {

    public static Key of(ApiKey key) {
      return new Key(
          key.id(),
          key.role().roleName(),
          key.scope().isAll() ? List.of() : key.scope().within(""),
          key.quota().maxFilters(),
          key.quota().maxBytes());
    }
  }

  public record Work(long requests, long elementsAdded, long elementsTested) {}
}
