package io.github.bloomgate.http.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.bloomgate.config.BloomgateConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which keys are known, when the file says something else, and when it says nothing of use. */
class ApiKeysTest {

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
  void aFileThatEverybodyMayChangeIsRefused() throws IOException {
    write(line("one", one));
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    var keys = keys(file, null);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

    keys.reread();
    assertEquals(1, gauge("bloom.keys.file.broken"));
    assertTrue(keys.find(one).isPresent());
    assertRefused();

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    keys.reread();
    assertEquals(0, gauge("bloom.keys.file.broken"));
    // Then it can be replaced by anybody.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRefused();
  }

  private void assertRefused() {
    var refused = assertThrows(InvalidKeysException.class, () -> keys(file, null));
    assertTrue(refused.getMessage().contains("chmod o-w"), refused.getMessage());
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
  void aFileThatIsGoneKeepsTheKeys() throws IOException {
    write(line("one", one));
    var keys = keys(file, null);

    Files.delete(file);
    keys.reread();

    assertTrue(keys.find(one).isPresent());
    assertEquals(1, gauge("bloom.keys.file.broken"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nobody", "one reader", "one reader sha256:00"})
  void theServiceDoesNotStartWithKeysThatCannotBeUsed(String content) throws IOException {
    write(content);
    var refused = assertThrows(InvalidKeysException.class, () -> keys(file, null));
    assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());

    if (!content.isEmpty()) {
      assertThrows(InvalidKeysException.class, () -> keys(null, content));
    }
  }

  @Test
  void theServiceDoesNotStartWithoutTheFile() {
    assertThrows(InvalidKeysException.class, () -> keys(file, null));
  }

  @Test
  void twoKeysHaveTwoIds() throws IOException {
    write(line("one", one), line("one", other));
    assertThrows(InvalidKeysException.class, () -> keys(file, null));

    write(line("one", one));
    assertThrows(InvalidKeysException.class, () -> keys(file, line("one", other)));
  }

  @Test
  void theComplaintNamesTheLineAndHoldsNoToken() throws IOException {
    write("# first", "one reader " + one);

    var refused = assertThrows(InvalidKeysException.class, () -> keys(file, null));

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
