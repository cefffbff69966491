package io.github.bloomgate.rebuild.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.support.LogRecords;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials from a file, which may change, and from a property. */
class SourceCredentialsTest {

  private static final String STAYS = "The previous credentials stay in use.";

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("credentials");
  }

  @Test
  void withoutConfigurationNoServerHasCredentials() {
    var none = new SourceCredentials(Optional.empty(), Optional.empty());
    assertEquals(Optional.empty(), none.of(URI.create("https://a.example/")));
  }

  @Test
  void credentialsComeFromTheFileAndFromTheProperty() throws IOException {
    write("a.example X-Token: one");
    var both = credentials("b.example X-Token: two\n# more\nc.example Cookie: a=1; b=2");
    assertEquals("one", sent(both, "https://a.example/"));
    assertEquals("two", sent(both, "https://b.example/"));
    assertTrue(both.of(URI.create("https://c.example/")).isPresent());
    assertEquals("none", sent(both, "https://d.example/"));
  }

  @Test
  void aChangedFileIsUsedFromTheNextRequestOn() throws IOException {
    write("a.example X-Token: one", "b.example X-Token: one");
    var changing = credentials(null);
    write("a.example X-Token: two");
    assertEquals("two", sent(changing, "https://a.example/"));
    assertEquals("none", sent(changing, "https://b.example/"));
  }

  @Test
  void anInvalidFileKeepsTheCredentialsAndIsLoggedOnce() throws IOException {
    write("a.example X-Token: s3cret");
    var kept = credentials(null);
    try (var records = LogRecords.ofAll()) {
      for (var content : List.of("", "a.example X-Token: s3", "a.example s3cret\n", "# s3cret\n")) {
        Files.writeString(file, content);
        assertEquals("s3cret", sent(kept, "https://a.example/"), content);
        assertEquals("s3cret", sent(kept, "https://a.example/"), content);
      }
      Files.delete(file);
      assertEquals("s3cret", sent(kept, "https://a.example/"));
      assertEquals(5, count(records, STAYS), records.seen().toString());
      write("a.example X-Token: s3cret");
      assertEquals("s3cret", sent(kept, "https://a.example/"));
      assertEquals(1, count(records, "is valid again"), records.seen().toString());
      assertFalse(records.seen().toString().contains("s3cret"), records.seen().toString());
    }
  }

  @Test
  void theServiceDoesNotStartWithUnusableCredentials() throws IOException {
    assertRefused(null, "cannot be read");
    write("");
    assertRefused(null, "has no credentials");
    write("# first", "a.example s3cret");
    assertRefused(null, "line 2");
    Files.writeString(file, "a.example X-Token: s3cret");
    assertRefused(null, "ends in the middle of a line");
    write("a.example X-Token: s3cret");
    assertRefused("A.example:443 X-Other: s3cret", "https://a.example");
    assertRefused("a.example s3cret", "bloomgate.sources.credentials cannot be used: line 1");
  }

  @Test
  void aFileThatOthersMayChangeIsRefused() throws IOException {
    write("a.example X-Token: s3cret");
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertRefused(null, "chmod o-w");
  }

  @Test
  void aFileThatOthersMayReadIsReported() throws IOException {
    write("a.example X-Token: s3cret");
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    for (var mode : List.of("rw-------", "rw-r-----", "rw-r--r--", "rw-rw----")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      try (var records = LogRecords.ofAll()) {
        credentials(null);
        var isLoose = mode.endsWith("r--") || mode.startsWith("rw-rw");
        assertEquals(isLoose ? 1 : 0, count(records, "chmod 600"), mode);
      }
    }
  }

  private void assertRefused(String property, String why) {
    var refused = assertThrows(ConfigurationException.class, () -> credentials(property));
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
    assertTrue(
        refused.getMessage().contains("bloomgate.sources.credentials"), refused.getMessage());
    assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
    assertEquals(null, refused.getCause());
  }

  private static long count(LogRecords records, String text) {
    return records.seen().stream().filter(line -> line.contains(text)).count();
  }

  private SourceCredentials credentials(String property) {
    return new SourceCredentials(Optional.ofNullable(property), Optional.of(file));
  }

  private static String sent(SourceCredentials credentials, String url) {
    return credentials
        .of(URI.create(url))
        .map(known -> known.request(URI.create(url), Instant.EPOCH).build().headers())
        .flatMap(headers -> headers.firstValue("X-Token"))
        .orElse("none");
  }

  private void write(String... lines) throws IOException {
    Files.write(file, List.of(lines));
  }
}
