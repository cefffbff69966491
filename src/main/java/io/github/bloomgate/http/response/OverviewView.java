package io.github.bloomgate.http.response;

import io.github.bloomgate.http.access.ApiKey;
import io.github.bloomgate.http.access.Role;
import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.rebuild.ContentTransfer;
import java.time.Instant;
import java.util.List;

/**
 * The key and the state of the service.
 *
 * @param servesHealth whether the port of the API serves health and metrics
 * @param warnings a sentence for each setting of Redis that endangers filters; none for a key
 *     limited to prefixes
 * @param operations the copies, merges and imports in progress on this instance, to filters that
 *     the key may use
 */
public record OverviewView(
    Key key,
    long filters,
    boolean servesHealth,
    StoreMemory redis,
    List<String> warnings,
    Work work,
    List<InProgress> operations) {

  /**
   * The rights of a key.
   *
   * @param roles its role and those that it includes, so that clients need not know how roles
   *     include each other
   */
  public record Key(
      String id,
      String role,
      List<String> roles,
      List<String> prefixes,
      long maxFilters,
      long maxBytes) {

    public static Key of(ApiKey key) {
      return new Key(
          key.id(),
          key.role().roleName(),
          key.role().included().stream().map(Role::roleName).toList(),
          key.scope().isAll() ? List.of() : key.scope().within(""),
          key.quota().maxFilters(),
          key.quota().maxBytes());
    }
  }

  public record Work(long requests, long elementsAdded, long elementsTested) {}

  public record InProgress(
      ContentTransfer.Kind operation,
      String filter,
      Instant startedAt,
      long doneBytes,
      long totalBytes) {

    public static InProgress of(ContentTransfer transfer) {
      return new InProgress(
          transfer.kind(),
          transfer.filter().value(),
          transfer.startedAt(),
          transfer.doneBytes(),
          transfer.totalBytes());
    }
  }
}
