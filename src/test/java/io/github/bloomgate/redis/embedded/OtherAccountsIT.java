package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.faults.PackagedService;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Other accounts of the machine cannot plant files that the packaged service uses. */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class OtherAccountsIT {

  @TempDir Path temp;

  private Path shared;
  private PackagedService service;

  @BeforeEach
  void makeTheSharedFolder() throws IOException {
    shared = Files.createDirectory(temp.resolve("shared"));
  }

  @AfterEach
  void end() {
    if (service != null) {
      service.terminate();
      service.awaitEnd();
    }
  }

  @Test
  void filesOfOtherAccountsInASharedFolderAreNotUsed() throws Exception {
    Files.setAttribute(shared, "unix:mode", 01777);
    var cache = Files.createDirectory(shared.resolve("vertx-cache"));
    EmbeddedRedisInFolder.setMode(cache, "rwxrwxrwx");
    if (EmbeddedRedisInFolder.isRoot()) {
      Files.setAttribute(cache, "unix:uid", EmbeddedRedisInFolder.OTHER_ACCOUNT);
    }
    start();

    var pages = Path.of("src", "main", "resources", "pages");
    for (var page :
        Map.of(
                "/", "index.html",
                "/console/main.js", "console/main.js",
                "/q/swagger-ui/", "swagger-ui/index.html",
                "/q/swagger-ui/start.js", "swagger-ui/start.js")
            .entrySet()) {
      assertArrayEquals(Files.readAllBytes(pages.resolve(page.getValue())), get(page.getKey()));
    }
    assertTrue(get("/q/swagger-ui/swagger-ui-bundle.js").length > 1_000_000);
    assertEquals(List.of(cache), list(shared));
    assertEquals(List.of(), list(cache));

    assertTrue(
        logged("listens on " + folder().toRealPath().resolve("redis.sock")),
        service.log()::toString);
    var record = Files.readString(folder().resolve("redis.pid"));
    assertEquals(0, ServerRecord.parse(record).orElseThrow().port());
    for (var file : list(folder())) {
      var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
      assertFalse(mode.charAt(4) == 'w' || mode.charAt(7) == 'w', file + " " + mode);
    }
  }

  @Test
  void noLibraryIsLoadedFromWhereOthersCanReplaceIt() throws Exception {
    Files.setAttribute(shared, "unix:mode", 0777);
    start();

    assertTrue(
        logged("Other accounts can replace files in the temporary folder"),
        service.log()::toString);
    assertTrue(logged("listens on 127.0.0.1:"), service.log()::toString);
  }

  @Test
  void anInstalledLibraryIsUsedWhereverTheTemporaryFolderIs() throws Exception {
    Files.setAttribute(shared, "unix:mode", 0777);
    var installed = Files.createDirectory(temp.resolve("installed"));
    for (var jar : list(Path.of("target", "quarkus-app", "lib", "main"))) {
      if (jar.getFileName().toString().contains("netty-transport-native-epoll")) {
        extract(jar, installed);
      }
    }
    start("-Djava.library.path=" + installed);

    assertFalse(
        logged("Other accounts can replace files in the temporary folder"),
        service.log()::toString);
    assertTrue(
        logged("listens on " + folder().toRealPath().resolve("redis.sock")),
        service.log()::toString);
  }

  /** As the Dockerfile does. */
  private static void extract(Path jar, Path folder) throws IOException {
    try (var files = FileSystems.newFileSystem(jar)) {
      for (var library : list(files.getPath("META-INF", "native"))) {
        Files.copy(library, folder.resolve(library.getFileName().toString()));
      }
    }
  }

  private Path folder() {
    return temp.resolve("data");
  }

  private void start(String... options) {
    var all = new ArrayList<>(List.of(options));
    all.add("-Djava.io.tmpdir=" + shared);
    service = PackagedService.start(all, "", "bloomgate.embedded.data-dir=" + folder());
  }

  private boolean logged(String text) {
    return service.log().stream().anyMatch(line -> line.contains(text));
  }

  private byte[] get(String path) throws IOException {
    var answer = service.send("GET", path, "");
    assertEquals(200, answer.statusCode(), path);
    return answer.body();
  }

  private static List<Path> list(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }
}
