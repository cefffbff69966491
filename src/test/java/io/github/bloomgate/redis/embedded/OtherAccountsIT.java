package io.github.bloomgate.redis.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.PackagedJar;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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

  private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^ :]+:([0-9]+)");

  /** An unused account. */
  private static final int OTHER_ACCOUNT = 54_321;

  @TempDir Path temp;

  private Path shared;
  private Process service;
  private final List<String> log = new ArrayList<>();

  @BeforeEach
  void makeTheSharedFolder() throws IOException {
    shared = Files.createDirectory(temp.resolve("shared"));
  }

  @AfterEach
  void end() throws InterruptedException {
    if (service != null) {
      service.destroy();
      service.waitFor();
    }
  }

  @Test
  void filesOfOtherAccountsInASharedFolderAreNotUsed() throws Exception {
    Files.setAttribute(shared, "unix:mode", 01777);
    var cache = Files.createDirectory(shared.resolve("vertx-cache"));
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    if (isRoot()) {
      Files.setAttribute(cache, "unix:uid", OTHER_ACCOUNT);
    }
    var port = start();

    var pages = Path.of("src", "main", "resources", "pages");
    for (var page :
        Map.of(
                "/", "index.html",
                "/console/main.js", "console/main.js",
                "/q/swagger-ui/", "swagger-ui/index.html",
                "/q/swagger-ui/start.js", "swagger-ui/start.js")
            .entrySet()) {
      assertArrayEquals(
          Files.readAllBytes(pages.resolve(page.getValue())), get(port, page.getKey()));
    }
    assertTrue(get(port, "/q/swagger-ui/swagger-ui-bundle.js").length > 1_000_000);
    assertEquals(List.of(cache), list(shared));
    assertEquals(List.of(), list(cache));

    assertTrue(logged("listens on " + folder().toRealPath().resolve("redis.sock")), log::toString);
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

    assertTrue(logged("Other accounts can replace files in the temporary folder"), log::toString);
    assertTrue(logged("listens on 127.0.0.1:"), log::toString);
  }

  private static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  private Path folder() {
    return temp.resolve("data");
  }

  private ProcessBuilder command() {
    var options = new ArrayList<String>();
    options.add("-Djava.io.tmpdir=" + shared);
    options.addAll(List.of("-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=0"));
    options.add("-Dbloomgate.embedded.data-dir=" + folder());
    return PackagedJar.process(options);
  }

  /** Starts the service and returns its port. */
  private int start() throws IOException {
    service = command().start();
    BufferedReader output = OtherService.output(service);
    for (var line = output.readLine(); line != null; line = output.readLine()) {
      log.add(line);
      var listening = LISTENING.matcher(line);
      if (listening.find()) {
        return Integer.parseInt(listening.group(1));
      }
    }
    throw new IllegalStateException("did not start: " + log);
  }

  private boolean logged(String text) {
    return log.stream().anyMatch(line -> line.contains(text));
  }

  private static byte[] get(int port, String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
    assertEquals(200, answer.statusCode(), path);
    return answer.body();
  }

  private static List<Path> list(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }
}
