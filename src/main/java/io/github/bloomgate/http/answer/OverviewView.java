package io.github.bloomgate.http.answer;

import io.github.bloomgate.http.security.KeyIdentity;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.model.StoreMemory;
import java.util.List;
import java.util.OptionalLong;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Who asks, and how the service is as a whole. */
@Schema(
    name = "Overview",
    description = "The key that asks, and how the service is as a whole",
    requiredProperties = {"key", "filters", "redis", "work"})
public record OverviewView(
    @Schema(description = "The key that asks") Key key,
    @Schema(
            description =
                "How many filters there are whose names the key may use. One that has expired may"
                    + " count for a while.")
        long filters,
    @Schema(
            description = "The memory of Redis; null for a key that is limited to prefixes",
            nullable = true)
        Memory redis,
    @Schema(
            description =
                "What this instance has done since its start; null for a key that is limited to"
                    + " prefixes",
            nullable = true)
        Work work) {

  /** What a key may do. */
  @Schema(
      name = "Key",
      description = "What a key may do",
      requiredProperties = {"id", "role", "prefixes", "maxFilters", "maxBytes"})
  public record Key(
      @Schema(
              description = "Its id; `local` for a client on the machine of a service without keys",
              examples = "local")
          String id,
      @Schema(
              description = "Its role",
              enumeration = {Role.READS, Role.WRITES, Role.ADMINISTERS},
              examples = Role.ADMINISTERS)
          String role,
      @Schema(description = "What the names begin with that it may use; empty for all names")
          List<String> prefixes,
      @Schema(description = "The most filters of these names; 0 for any number") long maxFilters,
      @Schema(description = "The most bytes of their bitmaps together; 0 for any number")
          long maxBytes) {

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
  @Schema(
      name = "RedisMemory",
      description = "The memory of Redis",
      requiredProperties = {"usedBytes", "leftBytes"})
  public record Memory(
      @Schema(description = "What it takes now; null in a cluster", nullable = true) Long usedBytes,
      @Schema(
              description = "How much more it takes; null if it does not say, and in a cluster",
              nullable = true)
          Long leftBytes) {

    public static Memory of(StoreMemory memory) {
      return new Memory(orNull(memory.used()), orNull(memory.left()));
    }

    private static Long orNull(OptionalLong bytes) {
      return bytes.isPresent() ? bytes.getAsLong() : null;
    }
  }

  /** Counters of one instance. */
  @Schema(
      name = "Work",
      description = "What an instance has done since its start",
      requiredProperties = {"requests", "elementsAdded", "elementsTested"})
  public record Work(
      @Schema(description = "Requests answered") long requests,
      @Schema(description = "Elements added") long elementsAdded,
      @Schema(description = "Elements tested") long elementsTested) {}
}
