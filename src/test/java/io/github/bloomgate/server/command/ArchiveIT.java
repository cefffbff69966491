package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Found;
import io.github.bloomgate.support.Interpreter;
import io.github.bloomgate.support.ProjectFiles;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archives for download: their files, and bin/bloomgate in them. */
class ArchiveIT {

  private static final Path TARGET = Path.of("target");
  private static final Pattern TIME =
      Pattern.compile("<project\\.build\\.outputTimestamp>([^<]+)<");

  /** The programs that bin/bloomgate needs, apart from Java. */
  private static final List<String> TOOLS = List.of("sh", "dirname", "head", "readlink", "sed");

  @TempDir static Path unpacked;

  /** The folder in the archive. */
  private static Path home;

  private static Path tar;

  @TempDir Path folder;

  private record Ended(int status, String output) {}

  @BeforeAll
  static void unpack() throws Exception {
    tar = archive(".tar.gz");
    var result = Interpreter.run(unpacked, "tar", "-xzf", tar.toAbsolutePath().toString());
    assertEquals("0 ", result);
    home = unpacked.resolve(tar.getFileName().toString().replace(".tar.gz", ""));
  }

  @Test
  void theArchiveHasAllFilesOfThePackageAndThoseThatPeopleRead() throws IOException {
    for (var read :
        List.of("LICENSE", "README.md", "CHANGELOG.md", "openapi.yaml", "docs/deploy.md")) {
      assertArrayEquals(
          Files.readAllBytes(Path.of(read)), Files.readAllBytes(home.resolve(read)), read);
    }
    assertEquals(
        Files.readString(Path.of("deploy", "systemd", "bloomgate.service")),
        Files.readString(home.resolve("systemd/bloomgate.service")));
    var packaged = TARGET.resolve("quarkus-app");
    for (var part : List.of("app", "bin", "lib", "quarkus")) {
      assertEquals(files(packaged.resolve(part)), files(home.resolve(part)), part);
    }
    var program = home.resolve("bin/bloomgate");
    assertEquals(
        "rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(program)));
  }

  @Test
  void bothArchivesHaveTheSameFiles() throws IOException {
    var zipped = new TreeSet<String>();
    try (var zip = new ZipFile(archive(".zip").toFile())) {
      for (var entry : zip.stream().filter(some -> !some.isDirectory()).toList()) {
        zipped.add(entry.getName());
        assertArrayEquals(
            Files.readAllBytes(unpacked.resolve(entry.getName())),
            zip.getInputStream(entry).readAllBytes(),
            entry.getName());
      }
    }
    assertEquals(files(unpacked), zipped);
  }

  /** Otherwise, two builds of the same source would differ. */
  @Test
  void nothingDependsOnTheTimeAndTheAccountOfTheBuild() throws Exception {
    var time =
        OffsetDateTime.parse(Found.in(ProjectFiles.text(Path.of("pom.xml")), TIME).first())
            .toLocalDateTime();

    var list =
        Interpreter.run(
            unpacked,
            "env",
            "TZ=UTC",
            "tar",
            "--numeric-owner",
            "--full-time",
            "-tvzf",
            tar.toAbsolutePath().toString());
    var expected =
        Pattern.compile(
            "(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) 0/0 +\\d+ %s %s .*"
                .formatted(time.toLocalDate(), time.toLocalTime() + ":00"));
    var entries = list.replaceFirst("^0 ", "").lines().toList();
    assertTrue(entries.size() > 100, list);
    assertEquals(
        List.of(), entries.stream().filter(some -> !expected.matcher(some).matches()).toList());

    try (var zip = new ZipFile(archive(".zip").toFile())) {
      assertEquals(
          List.of(time),
          zip.stream().<LocalDateTime>map(some -> some.getTimeLocal()).distinct().toList());
    }
  }

  @Test
  void versionAndHealthRunWithTheJavaOfJavaHomeOnly() throws Exception {
    var environment =
        Map.of("PATH", tools().toString(), "JAVA_HOME", System.getProperty("java.home"));

    var version = run(environment, "--version");
    assertEquals(0, version.status, version.output);
    assertTrue(version.output.matches("Bloomgate \\d+\\.\\d+\\.\\d+\\S*\\R"), version.output);

    var health = run(environment, "-Dquarkus.http.port=" + freePort(), "health");
    assertEquals(1, health.status, health.output);
    assertTrue(health.output.contains("no response"), health.output);

    var mistake = run(environment, "helth");
    assertEquals(2, mistake.status, mistake.output);
  }

  @Test
  void aLinkRunsWithTheJavaInThePath() throws Exception {
    var tools = tools();
    Files.createSymbolicLink(tools.resolve("java"), Path.of(Interpreter.jdk("java")));
    var link = tools.resolve("bloomgate");
    Files.createSymbolicLink(
        link, tools.toRealPath().relativize(home.toRealPath().resolve("bin/bloomgate")));

    var version = run(link, Map.of("PATH", tools.toString()), "--version");

    assertEquals(0, version.status, version.output);
  }

  @Test
  void withoutAUsableJavaTheMistakeIsOneLine() throws Exception {
    var path = tools().toString();
    var missing = folder.resolve("missing").toString();

    var mistakes =
        Map.of(
            "no java in PATH",
            Map.of("PATH", path),
            "JAVA_HOME=" + missing,
            Map.of("PATH", path, "JAVA_HOME", missing),
            "is version 1.8.0_392",
            Map.of("PATH", path, "JAVA_HOME", fakeJava("1.8.0_392")),
            "is version 16.0.2",
            Map.of("PATH", path, "JAVA_HOME", fakeJava("16.0.2")),
            "is version unknown",
            Map.of("PATH", path, "JAVA_HOME", fakeJava("\"\"")));
    for (var mistake : mistakes.entrySet()) {
      var ended = run(mistake.getValue(), "--version");

      assertEquals(1, ended.status, ended.output);
      assertEquals(1, ended.output.lines().count(), ended.output);
      assertTrue(ended.output.contains(mistake.getKey()), ended.output);
      assertTrue(ended.output.startsWith("Bloomgate needs Java 17 or later"), ended.output);
    }
  }

  @Test
  void optionsGoToJavaAndThoseInTheEnvironmentOnlyToTheService() throws Exception {
    var path = tools().toString();
    var settings = "@" + home.toRealPath().resolve("bloomgate.vmoptions");
    var jar = home.toRealPath().resolve("quarkus-run.jar").toString();
    var environment =
        Map.of("PATH", path, "JAVA_HOME", fakeJava("17.0.1"), "JAVA_OPTS", "-Xmx1g -Da=*");

    assertEquals(
        List.of(settings, "-Xmx1g", "-Da=*", "-Xmx2g", "-Db=c d", "-jar", jar),
        run(environment, "-Xmx2g", "-Db=c d").output.lines().toList());
    assertEquals(
        List.of(settings, "-Db=c d", "-jar", jar, "health", "--wait", "30 s", "-Dno=setting"),
        run(environment, "-Db=c d", "health", "--wait", "30 s", "-Dno=setting")
            .output
            .lines()
            .toList());

    var headers = "-XX:+UseCompactObjectHeaders";
    var later = Map.of("PATH", path, "JAVA_HOME", fakeJava("25-ea"));
    assertEquals(
        List.of(settings, headers, "-XX:-UseCompactObjectHeaders", "-jar", jar),
        run(later, "-XX:-UseCompactObjectHeaders").output.lines().toList());

    var cache = home.resolve("bloomgate.aot");
    Files.createFile(cache);
    try {
      var used = "-XX:AOTCache=" + cache.toRealPath();
      assertFalse(run(environment).output.contains(used), "a Java that does not know the option");
      assertEquals(
          List.of(settings, used, headers, "-jar", jar), run(later).output.lines().toList());
    } finally {
      Files.delete(cache);
    }
  }

  private static Path archive(String suffix) throws IOException {
    try (var files = Files.list(TARGET)) {
      var found =
          files
              .filter(file -> file.getFileName().toString().matches("bloomgate-.*\\" + suffix))
              .toList();
      assertEquals(1, found.size(), "run mvn clean: " + found);
      return found.get(0);
    }
  }

  /** Paths of files below a folder, with slashes. */
  private static Set<String> files(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** A folder with the tools, which has no Java. */
  private Path tools() throws IOException {
    var tools = Files.createDirectory(folder.resolve("tools"));
    for (var tool : TOOLS) {
      var program =
          Stream.of("/bin", "/usr/bin")
              .map(place -> Path.of(place, tool))
              .filter(Files::isExecutable)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(tools.resolve(tool), program);
    }
    return tools;
  }

  /** The home of a Java that only prints its version or its arguments. */
  private String fakeJava(String version) throws IOException {
    var java = Files.createTempDirectory(folder, "java");
    var program = Files.createDirectory(java.resolve("bin")).resolve("java");
    Files.writeString(
        program,
        """
        #!/bin/sh
        if [ "$1" = -version ]; then
          echo 'Picked up JAVA_TOOL_OPTIONS: -Da=b' >&2
          echo 'openjdk version "%s" 2025-01-01' >&2
          echo 'OpenJDK Runtime Environment' >&2
        else
          printf '%%s\\n' "$@"
        fi
        """
            .formatted(version));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return java.toString();
  }

  private static int freePort() throws IOException {
    try (var free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private Ended run(Map<String, String> environment, String... arguments) throws Exception {
    return run(home.resolve("bin/bloomgate"), environment, arguments);
  }

  /** Runs the program in another folder, with no other environment. */
  private Ended run(Path program, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }
}
