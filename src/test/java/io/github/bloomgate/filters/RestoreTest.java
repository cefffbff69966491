package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot of Redis is a backup of all filters. Restores it as documented in docs/backup.md. */
class RestoreTest {

  @TempDir Path backup;

  @Test
  void aSnapshotRestoresAllFilters() throws Exception {
    var small = name();
    var large = name();
    var elements = elements("kept ", 500);
    long insertions;
    try (var redis = TestRedis.started("--appendonly", "yes", "--appendfsync", "everysec")) {
      try (var service = new TestInstance(redis)) {
        service.create(small, TestInstance.shape(10_000, 7), Optional.empty());
        service.create(large, TestInstance.SEVERAL, Optional.empty());
        service.add(small, elements);
        service.add(large, elements);
        insertions = service.describe(small).statistics().insertions();
      }
      redis.command("BGSAVE");
      Awaitility.await().until(() -> redis.info("persistence", "rdb_bgsave_in_progress") == 0);
      var folder = Path.of(redis.command("CONFIG", "GET", "dir").get("dir").toString());
      Files.copy(folder.resolve("dump.rdb"), backup.resolve("dump.rdb"));
    }

    // With appendonly yes from the start, Redis would ignore the snapshot and look for a log.
    try (var restored = TestRedis.started("--dir", backup.toString())) {
      assertKept(restored, small, large, elements, insertions);
      restored.command("CONFIG", "SET", "appendonly", "yes");
      Awaitility.await()
          .until(
              () ->
                  restored.info("persistence", "aof_rewrite_in_progress") == 0
                      && restored.info("persistence", "aof_rewrite_scheduled") == 0);
    }
    Files.delete(backup.resolve("dump.rdb"));
    try (var later = TestRedis.started("--dir", backup.toString(), "--appendonly", "yes")) {
      assertKept(later, small, large, elements, insertions);
    }
  }

  private static void assertKept(
      TestRedis redis, FilterName small, FilterName large, List<byte[]> elements, long insertions) {
    try (var service = new TestInstance(redis)) {
      for (var name : List.of(small, large)) {
        service.assertMaybe(name, elements);
      }
      assertEquals(insertions, service.describe(small).statistics().insertions());
    }
  }
}
