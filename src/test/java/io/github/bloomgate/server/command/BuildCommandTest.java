package io.github.bloomgate.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FileContent;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command with files. {@code FilterBuildTest} compares the content with the service's. */
class BuildCommandTest {

  private static final String SECRET = "c4".repeat(32);

  @TempDir Path folder;

  private Path output;

  @BeforeEach
  void prepare() throws IOException {
    output = folder.resolve("users.bloom");
    write("lines.txt", lines("in", 0, 1000));
  }

  private static String lines(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + i + "\n").collect(Collectors.joining());
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private String run(String arguments) throws IOException {
    return run(arguments, Map.of());
  }

  /** Files are in the folder. */
  private String run(String arguments, Map<String, String> settings) throws IOException {
    var all = new ArrayList<String>(List.of("--output", output.toString()));
    for (var argument : arguments.split(" ", -1)) {
      all.add(
          argument.contains(".") && !argument.matches("[0-9.]+|\\.\\./.*")
              ? folder.resolve(argument).toString()
              : argument);
    }
    var config =
        new SmallRyeConfigBuilder()
            .addDefaultInterceptors()
            .withSources(new PropertiesConfigSource(settings, "test", 100))
            .build();
    return BuildCommand.run(all, config, new PrintStream(new ByteArrayOutputStream(), true, UTF_8));
  }

  private FileContent content() throws IOException {
    return FileContent.read(Files.readAllBytes(output));
  }

  /** Only the output and the inputs: nothing unfinished. */
  private void assertNothingElse(String... names) throws IOException {
    try (var files = Files.list(folder)) {
      assertEquals(
          List.of(names), files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void theFileHasTheLinesAndTheFiguresAreTrue() throws IOException {
    var printed = run("--n 1000 --p 0.001 lines.txt");

    var content = content();
    assertEquals(1000, content.header().parameters().expectedInsertions());
    assertEquals(0.001, content.header().parameters().falsePositiveProbability());
    for (var i = 0; i < 1000; i++) {
      assertTrue(content.mightContain(("in" + i).getBytes(UTF_8)));
    }
    assertTrue(printed.contains(": %d bytes, ".formatted(Files.size(output))), printed);
    assertTrue(printed.contains("1000 lines, "), printed);
    assertTrue(printed.contains(" of 1000 expectedInsertions"), printed);
    assertFalse(printed.contains("Build it again"), printed);
    assertNothingElse("lines.txt", "users.bloom");
  }

  @Test
  void severalFilesAndPackedOnesAreOne() throws IOException {
    run("--n 1000 lines.txt");
    var whole = Files.readAllBytes(output);
    write("first.txt", lines("in", 0, 400).replace("\n", "\r\n"));
    try (var packed = new GZIPOutputStream(Files.newOutputStream(folder.resolve("rest.txt.gz")))) {
      packed.write(lines("in", 400, 1000).getBytes(UTF_8));
    }

    run("--n 1000 first.txt rest.txt.gz");

    assertArrayEquals(whole, Files.readAllBytes(output), "the same bytes");
  }

  @Test
  void linesAreReadInTheFormatAndEncodingGiven() throws IOException {
    write("some.txt", "\"6162\"\n\"00\"\n");

    run("--n 10 --p 0.000001 --format ndjson --encoding hex some.txt");

    assertTrue(content().mightContain("ab".getBytes(UTF_8)));
    assertTrue(content().mightContain(new byte[1]));
    assertFalse(content().mightContain("6162".getBytes(UTF_8)));
  }

  @Test
  void aFilterAboveItsCapacityIsReported() throws IOException {
    var printed = run("--n 500 lines.txt");

    assertTrue(printed.contains("Build it again with --n "), printed);
  }

  @Test
  void aKeyedFileNeedsASecret() throws IOException {
    var arguments = "--n 1000 --p 0.001 --hash-scheme bloomgate-1-keyed ";
    var secret = Map.of("bloomgate.security.hash-secret", SECRET);
    var none = assertThrows(IllegalArgumentException.class, () -> run(arguments + "lines.txt"));
    assertTrue(none.getMessage().contains("hash secret"), none.getMessage());

    run(arguments + "lines.txt", secret);
    var one = Files.readAllBytes(output);
    var key = content().header().parameters().hashScheme().keyOrigin().orElseThrow();
    run(arguments + "lines.txt", secret);
    assertFalse(Arrays.equals(one, Files.readAllBytes(output)), "another key");
    run(
        arguments
            + "--hash-secret-id %s --hash-salt %s lines.txt".formatted(key.secretId(), key.salt()),
        secret);
    assertArrayEquals(one, Files.readAllBytes(output), "the same key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--n 1000 bad.txt|Line 2 of |carriage return",
        "--n 1000 lines.txt bad.txt|Line 2 of |bad.txt",
        "--n 1000 --encoding hex lines.txt|Line 1 of |hexadecimal",
        "--n 1000 json.txt|json.txt looks like|ndjson",
        "--n 1000 cut.txt.gz|cut.txt.gz cannot be read|gzip",
        "--n 1000 zip.txt|looks like zip|unzip",
        "--n 1000 no.txt|no.txt does not exist|correct",
        "--n 100 --when-full reject lines.txt|does not fit|100 expectedInsertions",
        "--n 100 --when-full grow --max-size-bytes 200 lines.txt|does not fit|--max-size-bytes",
      })
  void aFailureLeavesTheOutputAsItWas(String arguments, String where, String what)
      throws IOException {
    write("bad.txt", "good\nb\rad\n");
    write("json.txt", "[\"a\", \"b\"]\n");
    write("zip.txt", "PK\u0003\u0004");
    Files.write(folder.resolve("cut.txt.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
    Files.writeString(output, "before");

    var failed = assertThrows(IOException.class, () -> run(arguments));

    assertTrue(failed.getMessage().contains(where), failed.getMessage());
    assertTrue(failed.getMessage().contains(what), failed.getMessage());
    assertEquals("before", Files.readString(output));
    assertNothingElse("bad.txt", "cut.txt.gz", "json.txt", "lines.txt", "users.bloom", "zip.txt");
  }

  @Test
  void anOutputThatCannotBeWrittenIsFoundFirst() throws IOException {
    for (var place :
        List.of(folder, folder.resolve("none").resolve("x"), folder.resolve("lines.txt"))) {
      output = place;
      var failed = assertThrows(IOException.class, () -> run("--n 1000 lines.txt"));
      assertTrue(failed.getMessage().contains("--output"), failed.getMessage());
    }
    assertNothingElse("lines.txt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lines.txt",
        "--n",
        "--n 0 lines.txt",
        "--n many lines.txt",
        "--n 1000 --p 1 lines.txt",
        "--n 1000 --p 0.9 lines.txt",
        "--n 1000 --p NaN lines.txt",
        "--n 100000000000 --p 0.0001 lines.txt",
        "--n 1000 --when-full maybe lines.txt",
        "--n 1000 --when-full grow --counting lines.txt",
        "--n 1000 --growth-factor 2 lines.txt",
        "--n 1000 --bit-size 100 --hash-functions 2 lines.txt",
        "--n 1000 --hash-scheme redisson lines.txt",
        "--n 1000 --hash-scheme none lines.txt",
        "--n 1000 --hash-salt 00 lines.txt",
        "--n 1000 --hash-secret-id 00 --hash-salt 00 lines.txt",
        "--n 1000 --window 1 lines.txt",
        "--n 1000 -x lines.txt",
      })
  void argumentsWithoutAMeaningAreRefused(String arguments) throws IOException {
    assertThrows(IllegalArgumentException.class, () -> run(arguments));
    assertNothingElse("lines.txt");
  }

  @Test
  void theOutputIsRequired() {
    var config = new SmallRyeConfigBuilder().build();

    assertThrows(
        IllegalArgumentException.class,
        () -> BuildCommand.run(List.of("--n", "10"), config, System.err));
  }
}
