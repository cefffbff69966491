package io.github.bloomgate.docs;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.ReservedPort;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A snapshot of Redis is a backup of all filters. Restores it with the commands of docs/backup.md.
 */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class RestoreTest {

  /** Sends one command, and prints the reply without its type and length. */
  private static final String REDIS_CLI =
      """
      #!/usr/bin/env bash
      exec 3<>/dev/tcp/127.0.0.1/PORT
      printf '%s\\r\\n' "$*" >&3
      read -r first <&3
      case $first in
        '$'*) head -c "$(tr -dc 0-9 <<<"$first")" <&3 ;;
        *) printf '%s\\n' "${first:1}" ;;
      esac
      """;

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
      // Redis answers while it loads, but only after every 2 MiB.
      for (var i = 0; i < 4; i++) {
        redis.command("SET", "other:" + i, noise());
      }
      redis.command("BGSAVE");
      Awaitility.await().until(() -> redis.info("persistence", "rdb_bgsave_in_progress") == 0);
      Files.copy(redis.folder().resolve("dump.rdb"), backup.resolve("filters.rdb"));
    }
    var folder = Files.createDirectory(backup.resolve("data"));

    restore(folder);

    // The log alone must have everything.
    Files.delete(folder.resolve("dump.rdb"));
    try (var later = TestRedis.started("--dir", folder.toString(), "--appendonly", "yes");
        var service = new TestInstance(later)) {
      for (FilterName name : List.of(small, large)) {
        service.assertMaybe(name, elements);
      }
      assertEquals(insertions, service.describe(small).statistics().insertions());
    }
  }

  /** 3 MiB that Redis does not compress. */
  private static String noise() {
    return new Random(1)
        .ints(3 << 20, '!', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Runs the commands of the page with a Redis that takes a third of a second for each key. */
  private void restore(Path folder) throws Exception {
    var port = ReservedPort.any().number();
    var programs = Files.createDirectory(backup.resolve("bin"));
    var server =
        "#!/usr/bin/env bash\nexec '%s' --port %d --bind 127.0.0.1 --save '' --key-load-delay 300000 \"$@\"\n"
            .formatted(TestRedis.program(), port);
    write(programs.resolve("redis-server"), server);
    write(programs.resolve("redis-cli"), REDIS_CLI.replace("PORT", String.valueOf(port)));
    var commands =
        MarkdownFile.read("docs/backup.md").section("Restore everything").blocks("sh").get(0);
    var shell =
        new ProcessBuilder("bash", "-eu", "-c", commands.replace("FOLDER", folder.toString()))
            .directory(backup.toFile())
            .redirectErrorStream(true)
            .redirectOutput(backup.resolve("output").toFile());
    shell.environment().merge("PATH", programs.toString(), (path, own) -> own + ":" + path);
    var run = shell.start();
    try {
      assertTrue(run.waitFor(1, TimeUnit.MINUTES), () -> output());
      assertEquals(0, run.exitValue(), this::output);
    } finally {
      run.destroyForcibly();
      stop(programs, folder);
    }
  }

  private String output() {
    try {
      return Files.readString(backup.resolve("output"));
    } catch (IOException gone) {
      return gone.toString();
    }
  }

  private static void stop(Path programs, Path folder) throws Exception {
    new ProcessBuilder(programs.resolve("redis-cli").toString(), "SHUTDOWN", "NOSAVE")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("shutdown").toFile())
        .start()
        .waitFor(1, TimeUnit.MINUTES);
  }

  private static void write(Path program, String text) throws IOException {
    Files.writeString(program, text);
    assertTrue(program.toFile().setExecutable(true));
  }
}
