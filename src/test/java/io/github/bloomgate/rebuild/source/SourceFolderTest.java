package io.github.bloomgate.rebuild.source;

import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.LogRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources in files. */
class SourceFolderTest {

  @TempDir Path root;

  private Path inside;
  private SourceFolder folder;

  @BeforeEach
  void makeFolders() throws IOException {
    inside = Files.createDirectories(root.resolve("inside"));
    Files.createDirectories(inside.resolve("deep"));
    Files.writeString(root.resolve("secret.txt"), "secret\n");
    folder = new SourceFolder(Optional.of(inside));
  }

  @Test
  void aFileBelowTheFolderIsRead() throws IOException {
    Files.writeString(inside.resolve("deep/list.txt"), "a\nb\nc");
    assertEquals(List.of("a", "b", "c"), read("deep/list.txt"));
  }

  @Test
  void aMissingFolderIsLoggedAtTheStart() {
    try (var log = LogRecords.ofAll()) {
      new SourceFolder(Optional.of(inside));
      assertEquals(List.of(), log.seen());
      new SourceFolder(Optional.of(inside.resolve("missing")));
      assertEquals(1, log.seen().size());
      assertTrue(log.seen().get(0).contains(inside.resolve("missing").toString()));
    }
  }

  @Test
  void aFileOfManyLinesIsReadWhole() throws IOException {
    var lines = IntStream.range(0, 100_000).mapToObj(Integer::toString).toList();
    Files.write(inside.resolve("long.txt"), lines);
    assertEquals(lines, read("long.txt"));
  }

  @Test
  void aLinkWithinTheFolderIsFollowed() throws IOException {
    Files.writeString(inside.resolve("deep/list.txt"), "a\n");
    Files.createSymbolicLink(inside.resolve("latest.txt"), Path.of("deep/list.txt"));
    assertEquals(List.of("a"), read("latest.txt"));
  }

  @Test
  void aLinkThatLeadsOutIsRefused() throws IOException {
    Files.createSymbolicLink(inside.resolve("link.txt"), Path.of("../secret.txt"));
    Files.createSymbolicLink(inside.resolve("up"), root);
    assertUnreadable("link.txt");
    assertUnreadable("up/secret.txt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"deep", "missing.txt", "deep/missing.txt", "a.txt/b"})
  void onlyRegularFilesAreReadable(String path) throws IOException {
    Files.writeString(inside.resolve("a.txt"), "a\n");
    assertUnreadable(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "..",
        "../secret.txt",
        "deep/../../secret.txt",
        "./a",
        "/etc/passwd",
        "a\u202etxt.gz",
        "a\u200b",
        "a\tb"
      })
  void aPathThatLeavesTheFolderOrIsHiddenIsInvalid(String path) {
    Failures.assertFails(ErrorCode.INVALID_REQUEST, () -> folder.require(path));
  }

  @Test
  void aPathWithAZeroByteIsInvalid() {
    assertThrows(BloomException.class, () -> folder.require("a\0b"));
  }

  @Test
  void withoutAFolderNoFileIsAllowed() {
    var none = new SourceFolder(Optional.empty());
    Failures.assertFails(ErrorCode.INVALID_REQUEST, () -> none.require("list.txt"));
  }

  @Test
  void aGzipIsUnzippedAndACutOneFails() throws IOException {
    var lines = IntStream.range(0, 50_000).mapToObj(i -> "line " + i * 7919L).toList();
    var zipped = zipped(utf8(String.join("\n", lines)));
    Files.write(inside.resolve("whole.gz"), zipped);
    Files.write(inside.resolve("cut.gz"), Arrays.copyOf(zipped, zipped.length - 9));
    Files.write(inside.resolve("without-a-suffix"), zipped);
    Files.writeString(inside.resolve("plain.gz"), "a\nb\n");
    assertEquals(lines, read("whole.gz"));
    assertEquals(lines, read("without-a-suffix"));
    assertEquals(List.of("a", "b"), read("plain.gz"));
    assertUnreadable("cut.gz");
    for (var length = 0; length < 4; length++) {
      Files.write(inside.resolve("stump.gz"), Arrays.copyOf(zipped, length));
      assertUnreadable("stump.gz");
    }
  }

  @Test
  void contentOtherThanTextFailsWithARemedy() throws IOException {
    Files.writeString(inside.resolve("list.txt"), "a\nb\n", StandardCharsets.UTF_16LE);
    var failure = assertFails(() -> read("list.txt"));
    assertTrue(failure.getMessage().contains("iconv -f UTF-16LE"), failure.getMessage());
    Files.write(inside.resolve("twice.gz"), zipped("(\u00b5/\u00fd".getBytes(ISO_8859_1)));
    assertTrue(assertFails(() -> read("twice.gz")).getMessage().contains("zstd -d"));
  }

  /** Sources and requests are read by the same rules. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[\"a\", \"b\"] | each element on a line of its own",
        "{\"elements\": [\"a\"]} | each element on a line of its own",
        "\"a\"+\"b\" | format ndjson",
        "a+b~c | Line 2 of the source has a carriage return",
        "a+\ufeffb | Line 2 of the source begins with a byte order mark"
      })
  void linesThatCannotBeMeantFailWithARemedy(String content, String remedy) throws IOException {
    var text = content.replace('+', '\n').replace('~', '\r');
    Files.writeString(inside.resolve("mistake.txt"), text);
    var failure = assertFails(() -> read("mistake.txt"));
    assertTrue(failure.getMessage().contains(remedy), failure.getMessage());
    assertTrue(!failure.getMessage().contains("Content-Type"), failure.getMessage());
  }

  @Test
  void anArchiveThatWasGzippedFails() throws IOException {
    var archive = utf8("list.txt" + "\0".repeat(249) + "ustar\0" + "a\n".repeat(100));
    Files.write(inside.resolve("list.tar.gz"), zipped(archive));
    var failure = assertFails(() -> read("list.tar.gz"));
    assertTrue(failure.getMessage().contains("tar -xO"), failure.getMessage());
  }

  @Test
  void aGzipThatIsClosedDuringAReadFails() throws IOException {
    var lines = IntStream.range(0, 200_000).mapToObj(i -> "line " + i * 7919L).toList();
    Files.write(inside.resolve("long.gz"), zipped(utf8(String.join("\n", lines))));
    var reader = folder.open(file("long.gz"));
    assertTrue(!reader.next().isEmpty());
    reader.close();
    assertFails(() -> drain(reader));
  }

  @Test
  void aFileThatGrowsWhileItIsReadFails() throws IOException {
    var file = inside.resolve("growing.txt");
    Files.writeString(file, "a\n");
    try (var reader = folder.open(file("growing.txt"))) {
      assertEquals(1, reader.next().size());
      Files.writeString(file, "a\nb\n");
      assertFails(() -> drain(reader));
    }
  }

  @Test
  void aFileThatIsReplacedWhileItIsReadFails() throws IOException {
    var file = inside.resolve("replaced.txt");
    Files.writeString(file, "a\n");
    try (var reader = folder.open(file("replaced.txt"))) {
      assertEquals(1, reader.next().size());
      Files.delete(file);
      assertFails(() -> drain(reader));
    }
  }

  @Test
  void anInvalidLineIsReportedOnlyByItsNumber() throws IOException {
    Files.writeString(inside.resolve("bad.txt"), "61\n62\nsecret\n63\n");
    var source = new Origin.File("bad.txt", LineFormat.TEXT, ElementEncoding.HEX);
    try (var reader = folder.open(source)) {
      var failure = assertFails(() -> drain(reader));
      assertTrue(failure.getMessage().contains("Line 3 "), failure.getMessage());
      assertTrue(!failure.getMessage().contains("secret"), failure.getMessage());
    }
  }

  private List<String> read(String path) {
    try (var reader = folder.open(file(path))) {
      return drain(reader);
    }
  }

  static List<String> drain(SourceReader reader) {
    return Stream.generate(reader::next)
        .takeWhile(batch -> !batch.isEmpty())
        .flatMap(List::stream)
        .map(element -> new String(element, UTF_8))
        .toList();
  }

  private void assertUnreadable(String path) {
    assertFails(() -> read(path));
  }

  static BloomException assertFails(Executable action) {
    return Failures.assertFails(ErrorCode.SOURCE_UNREADABLE, action);
  }

  private static Origin.File file(String path) {
    return new Origin.File(path, LineFormat.TEXT, ElementEncoding.UTF_8);
  }
}
