package io.github.bloomgate.http.answer;

import io.github.bloomgate.http.security.KeyIdentity;
import io.github.bloomgate.model.StoreMemory;
import java.util.List;
import java.util.OptionalLong;

/** The key and the state of the service. */
public record OverviewView(Key key, long filters, Memory redis, Work work) {

  /** The permissions of a key. */
  public record Key(String id, String role, List<String> prefixes, long maxFilters, long maxBytes) {

    public static Key of(KeyIdentity identity) {
      return new Key(
          identity.id(),
          identity.role().roleName(),
          identity.scope().isAll() ? List.of() : identity.scope().within(""),
          identity.quota().maxFilters(),
          identity.quota().maxBytes());
    }
  }

  /** The memory of Redis. */
  public record Memory(Long usedBytes, Long leftBytes) {

    public static Memory of(StoreMemory memory) {
      return new Memory(orNull(memory.used()), orNull(memory.left()));
    }

    private static Long orNull(OptionalLong bytes) {
      return bytes.isPresent() ? bytes.getAsLong() : null;
    }
  }

  /** Counters of one instance. */
  public record Work(long requests, long elementsAdded, long elementsTested) {}
}
