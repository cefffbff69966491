package io.github.bloomgate.http.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.config.BloomgateConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys are known when the file changes or becomes invalid. */
class ApiKeysTest {

  /** An account that is neither root nor this one. */
  private static final int OTHER_ACCOUNT = 54_321;

  private final String one = KeyToken.create("one");
  private final String other = KeyToken.create("other");
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("keys");
  }

  @Test
  void withoutConfigurationNoKeyIsRequired() {
    assertFalse(keys(null, null).areRequired());
  }

  @Test
  void keysComeFromTheFileAndFromTheProperty() throws IOException {
    write("# of the shop", "", line("one", one));
    var keys = keys(file, "# more;" + line("other", other) + ";");

    assertTrue(keys.areRequired());
    assertTrue(keys.find(one).isPresent());
    assertTrue(keys.find(other).isPresent());
    assertFalse(keys.find(one + "x").isPresent());
    assertFalse(keys.find(one.replace("bg_one_", "bg_other_")).isPresent());
    assertFalse(keys.find(one.substring(0, one.length() - 1) + "!").isPresent());
    assertFalse(keys.find("").isPresent());
  }

  @Test
  void aCommentOfTheFileEndsWithItsLine() throws IOException {
    write("# was revoked; " + line("other", other), line("one", one));
    var keys = keys(file, null);

    assertTrue(keys.find(one).isPresent());
    assertFalse(keys.find(other).isPresent());
  }

  @Test
  void aWorldWritableFileIsRefused() throws IOException {
    write(line("one", one));
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    var keys = keys(file, null);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

    keys.reread();
    assertEquals(1, gauge("bloom.keys.file.broken"));
    assertTrue(keys.find(one).isPresent());
    assertRefused(file, "chmod o-w");

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    keys.reread();
    assertEquals(0, gauge("bloom.keys.file.broken"));
    // Every account can then replace the file.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRefused(file, "chmod o-w");
  }

  @Test
  void aFileOrALinkOfAnotherAccountIsRefused() throws IOException {
    write(line("one", one));
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("unix"));
    assumeTrue((int) Files.getAttribute(file, "unix:uid") == 0, "only root can change owners");
    var keys = keys(file, null);
    Files.setAttribute(file, "unix:uid", OTHER_ACCOUNT);

    keys.reread();
    assertEquals(1, gauge("bloom.keys.file.broken"));
    assertRefused(file, "belongs to another account");

    Files.setAttribute(file, "unix:uid", 0);
    keys.reread();
    assertEquals(0, gauge("bloom.keys.file.broken"));
    var link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertTrue(keys(link, null).find(one).isPresent());
    Files.setAttribute(link, "unix:uid", OTHER_ACCOUNT, LinkOption.NOFOLLOW_LINKS);
    assertRefused(link, "belongs to another account");
  }

  /** The line of a limited key could be truncated to a key without limits. */
  @Test
  void aFileThatEndsAnywhereWithinALineIsRefused() throws IOException {
    var text =
        line("other", other)
            + "\n"
            + ApiKey.line("one", Role.ADMIN, one, List.of("shop-"), "maxFilters=10");
    for (var end : List.of("\n", "\r\n", "\n\n", "\n# ours\n")) {
      Files.writeString(file, text + end);
      assertEquals("shop-", keys(file, null).find(one).orElseThrow().scope().toString());
    }
    var keys = keys(file, null);
    for (var length = 1; length <= text.length(); length++) {
      Files.writeString(file, text.substring(0, length));
      if (text.charAt(length - 1) != '\n') {
        assertRefused(file, "ends in the middle of a line");
      }
    }
    keys.reread();
    assertEquals(10, keys.find(one).orElseThrow().quota().maxFilters());
  }

  @Test
  void aByteOrderMarkIsNamed() throws IOException {
    write("\ufeff" + line("one", one));
    assertRefused(file, "byte order mark, which some Windows editors write: save it as UTF-8");
    Files.writeString(file, line("one", one) + "\n", StandardCharsets.UTF_16);
    assertRefused(file, "is not text in UTF-8");
  }

  private void assertRefused(Path path, String why) {
    var refused = assertThrows(ConfigurationException.class, () -> keys(path, null));
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
    assertTrue(refused.getMessage().contains(path.toString()), refused.getMessage());
  }

  @Test
  void aKeyIsRotatedWithoutARestart() throws IOException {
    write(line("one", one));
    var keys = keys(file, null);

    write(line("one", one), line("other", other));
    keys.reread();
    assertTrue(keys.find(one).isPresent() && keys.find(other).isPresent());
    assertEquals(2, gauge("bloom.keys"));

    write(line("other", other));
    keys.reread();
    assertFalse(keys.find(one).isPresent());
    assertTrue(keys.find(other).isPresent());
  }

  @Test
  void aRoleIsChangedWithoutARestart() throws IOException {
    write(line("one", one));
    var keys = keys(file, null);

    write(ApiKey.line("one", Role.ADMIN, one, List.of("shop-")));
    keys.reread();

    assertEquals(Role.ADMIN, keys.find(one).orElseThrow().role());
    assertEquals("shop-", keys.find(one).orElseThrow().scope().toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nobody", "one reader", "one reader sha256:00"})
  void aBrokenFileKeepsTheKeysAndIsReported(String content) throws IOException {
    write(line("one", one));
    var keys = keys(file, null);

    write(content);
    keys.reread();
    assertTrue(keys.find(one).isPresent());
    assertEquals(1, gauge("bloom.keys.file.broken"));

    write(line("other", other));
    keys.reread();
    assertFalse(keys.find(one).isPresent());
    assertEquals(0, gauge("bloom.keys.file.broken"));
  }

  @Test
  void aMissingFileKeepsTheKeys() throws IOException {
    write(line("one", one));
    var keys = keys(file, null);

    Files.delete(file);
    keys.reread();

    assertTrue(keys.find(one).isPresent());
    assertEquals(1, gauge("bloom.keys.file.broken"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nobody", "one reader", "one reader sha256:00"})
  void theServiceDoesNotStartWithUnusableKeys(String content) throws IOException {
    write(content);
    var refused = assertThrows(ConfigurationException.class, () -> keys(file, null));
    assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());

    if (!content.isEmpty()) {
      assertThrows(ConfigurationException.class, () -> keys(null, content));
    }
  }

  @Test
  void theServiceDoesNotStartWithoutTheFile() {
    assertThrows(ConfigurationException.class, () -> keys(file, null));
  }

  @Test
  void twoKeysHaveTwoIds() throws IOException {
    write(line("one", one), line("one", other));
    assertThrows(ConfigurationException.class, () -> keys(file, null));

    write(line("one", one));
    assertThrows(ConfigurationException.class, () -> keys(file, line("one", other)));
  }

  @Test
  void errorsNameTheLineWithoutTheToken() throws IOException {
    write("# first", "one reader " + one);

    var refused = assertThrows(ConfigurationException.class, () -> keys(file, null));

    assertTrue(refused.getMessage().contains("line 2"), refused.getMessage());
    assertFalse(refused.getMessage().contains(one), refused.getMessage());
  }

  private ApiKeys keys(Path keysFile, String lines) {
    var settings = new HashMap<String, String>();
    if (keysFile != null) {
      settings.put("bloomgate.security.keys-file", keysFile.toString());
    }
    if (lines != null) {
      settings.put("bloomgate.security.keys", lines);
    }
    var config =
        new SmallRyeConfigBuilder()
            .addDiscoveredConverters()
            .withMapping(BloomgateConfig.class)
            .withDefaultValues(settings)
            .build()
            .getConfigMapping(BloomgateConfig.class);
    return new ApiKeys(config, meters);
  }

  private static String line(String id, String token) {
    return ApiKey.line(id, Role.READER, token, List.of());
  }

  private void write(String... lines) throws IOException {
    Files.write(file, List.of(lines));
  }

  private double gauge(String name) {
    return meters.get(name).gauge().value();
  }
}
