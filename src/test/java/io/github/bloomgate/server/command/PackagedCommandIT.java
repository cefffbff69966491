package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FileContent;
import io.github.bloomgate.support.PackagedJar;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the packaged service, as documented. */
class PackagedCommandIT {

  /**
   * A failed start in the framework's words, or with an unknown cause. Interrupted tasks may log
   * their own stack traces.
   */
  private static final Pattern WITH_STACK =
      Pattern.compile("Failed to start application|no setting explains");

  @TempDir Path folder;

  private record Ended(int status, String output) {}

  @Test
  void newKeyPrintsOnlyAKeyAndItsLine() throws Exception {
    var ended = run(List.of(), "new-key", "--role", "writer", "--prefix", "shop-");

    assertEquals(0, ended.status, ended.output);
    assertTrue(
        ended.output.matches(
            "#.*\\Rexport BLOOMGATE_KEY='bg_\\w+_[\\w-]{43}'\\R#.*\\Rexport"
                + " BLOOMGATE_SECURITY_KEYS='\\w+ writer sha256:[0-9a-f]{64}"
                + " shop-'\\R#.*\\R#.*\\R"),
        "six lines");
  }

  @Test
  void aMistakeIsOneLineThatAKeysFileIgnores() throws Exception {
    for (var mistake :
        List.of(
            List.of("newkey"), List.of("new-key", "--quiet"), List.of("-Dquarkus.http.port=1"))) {
      var ended = run(List.of(), mistake.toArray(String[]::new));

      assertEquals(2, ended.status, ended.output);
      assertTrue(ended.output.matches("# .* --help\\R"), ended.output);
    }
  }

  @Test
  void versionAndHelpAreAnswered() throws Exception {
    var version = run(List.of(), "--version");

    assertEquals(0, version.status, version.output);
    assertTrue(version.output.matches("Bloomgate \\d+\\.\\d+\\.\\d+\\S*\\R"), version.output);

    var help = run(List.of(), "--help");
    assertEquals(0, help.status, help.output);
    assertTrue(
        help.output.contains("bloomgate.redis.call-timeout (2s)\n      How long a call to Redis"),
        help.output);
    assertTrue(help.output.contains("new-key --role"), help.output);
    assertTrue(help.output.contains("health [--wait"), help.output);
    assertTrue(help.output.contains("build --n"), help.output);
    assertEquals(0, run(List.of(), "new-key", "--help").status);
    assertEquals(0, run(List.of(), "health", "--help").status);
  }

  @Test
  void buildMakesAFileOrFails() throws Exception {
    var lines = Files.writeString(folder.resolve("lines.txt"), "a\nb\n").toString();
    var output = folder.resolve("letters.bloom");

    var built = run(List.of(), "build", "--n", "10", "--output", output.toString(), lines);
    assertEquals(0, built.status, built.output);
    assertTrue(built.output.contains("2 lines, 2 new elements"), built.output);
    var content = FileContent.read(Files.readAllBytes(output));
    assertTrue(content.mightContain(new byte[] {'b'}));

    Files.delete(output);
    var full =
        run(
            List.of(),
            "build",
            "--n",
            "1",
            "--when-full",
            "reject",
            "--output",
            output.toString(),
            lines);
    assertEquals(1, full.status, full.output);
    assertTrue(full.output.startsWith("Line 2 of " + lines), full.output);
    assertFalse(Files.exists(output));
    assertEquals(2, run(List.of(), "build", "--n", "0").status);
    assertEquals(0, run(List.of(), "build", "--help").status);
  }

  @Test
  @Tag("slow")
  void healthIsTheExitStatus() throws Exception {
    var port = freePort();
    var settings =
        List.of(
            "-Dquarkus.http.port=0",
            "-Dbloomgate.management.port=" + port,
            "-Dbloomgate.embedded.data-dir=" + folder.resolve("data"));
    var none = run(settings, "health");
    assertEquals(1, none.status, none.output);
    assertTrue(none.output.contains("no response"), none.output);

    var service = start(settings);
    try {
      var ready = run(settings, "health", "--wait", "5m");
      assertEquals(0, ready.status, ready.output);
      assertTrue(ready.output.matches("http://127.0.0.1:" + port + "\\S+ ready\\R"), ready.output);
    } finally {
      service.destroy();
      service.waitFor();
    }
  }

  @Test
  @Tag("slow")
  void theManagementPortAnswersBesideADomainSocketAlone() throws Exception {
    var port = freePort();
    var settings =
        List.of(
            "-Dquarkus.http.host-enabled=false",
            "-Dquarkus.http.domain-socket-enabled=true",
            "-Dquarkus.http.domain-socket=" + folder.resolve("http.sock"),
            "-Dbloomgate.management.port=" + port,
            "-Dbloomgate.embedded.data-dir=" + folder.resolve("data"));
    var service = start(settings);
    try {
      var ready = run(settings, "health", "--wait", "1m");
      assertEquals(0, ready.status, ready.output);
    } finally {
      service.destroy();
      service.waitFor();
    }
  }

  @Test
  void anUnknownSettingIsReportedWithTheNearest() throws Exception {
    var ended = run(List.of("-Dbloomgate.redis.calltimeout=1s"));

    assertEquals(1, ended.status, ended.output);
    assertTrue(ended.output.contains("Did you mean bloomgate.redis.call-timeout"), ended.output);
    assertFalse(ended.output.contains("SRCFG"), ended.output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloomgate.embedded.data-dir=C:\\users",
        "bloomgate.redis.replicas=${bloomgate.redis.replicas}"
      })
  void aMalformedFileOfSettingsIsOneSentenceAndNoStackTrace(String line) throws Exception {
    var file = folder.resolve("application.properties");
    Files.writeString(file, line);

    var ended = run(List.of("-Dsmallrye.config.locations=" + file));

    assertEquals(1, ended.status, ended.output);
    assertTrue(ended.output.startsWith("The settings cannot be read: "), ended.output);
    assertEquals(2, ended.output.lines().count(), ended.output);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "quarkus.redis.hosts=redis://:s3cret[@127.0.0.1:1",
        "quarkus.redis.hosts=s3cret",
        "bloomgate.sources.allowed-urls=http://user:s3cret@[x",
        "bloomgate.sources.credentials=lists.example.com s3cret",
        "bloomgate.security.hash-secret=s3cret",
        "bloomgate.security.keys=shop writer bg_shop_s3cret",
      })
  void anUnusableSettingIsNamedWithoutItsSecret(String setting) throws Exception {
    var ended =
        run(
            List.of(
                "-Dquarkus.http.port=0",
                "-Dbloomgate.embedded.data-dir=" + folder.resolve("data"),
                "-D" + setting));

    assertEquals(1, ended.status, ended.output);
    assertTrue(ended.output.contains(setting.substring(0, setting.indexOf('='))), ended.output);
    assertFalse(ended.output.contains("s3cret"), ended.output);
    assertFalse(WITH_STACK.matcher(ended.output).find(), ended.output);
  }

  private static int freePort() throws IOException {
    try (var free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private static Ended run(List<String> properties, String... arguments)
      throws IOException, InterruptedException {
    var process = start(properties, arguments);
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private static Process start(List<String> properties, String... arguments) throws IOException {
    return PackagedJar.process(properties, arguments).start();
  }
}
