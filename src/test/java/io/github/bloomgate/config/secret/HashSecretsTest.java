package io.github.bloomgate.config.secret;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.LogRecords;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets are read and used to derive keys, but never revealed. */
class HashSecretsTest {

  private static final String ONE = "01".repeat(32);
  private static final String TWO = "02".repeat(32);
  private static final HashScheme NEW = HashSchemes.named("bloomgate-1-keyed").orElseThrow();

  @TempDir Path folder;

  @Test
  void idsAndKeysMatchTheReference() throws IOException {
    try (var json = HashSecretsTest.class.getResourceAsStream("/hash/bloomgate-1-keyed.json")) {
      var rows = new ObjectMapper().readTree(json).get("keys");
      assertTrue(rows.size() >= 10);
      for (var row : rows) {
        var secret = HashSecret.parse(row.get("secretHex").asText());
        assertEquals(row.get("secretId").asText(), secret.id());
        assertArrayEquals(
            HexFormat.of().parseHex(row.get("keyHex").asText()),
            secret.key(row.get("saltHex").asText()));
      }
    }
  }

  @Test
  void filesOpenToOtherAccountsAreRefusedOrWarnedAbout() throws IOException {
    var file = Files.writeString(folder.resolve("secrets"), ONE);
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));
    var refused =
        assertThrows(
            ConfigurationException.class,
            () -> new HashSecrets(Optional.empty(), Optional.of(file)));
    assertTrue(refused.getMessage().contains("chmod o-w"), refused.getMessage());

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(1, warnings(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertEquals(0, warnings(file));
  }

  private static long warnings(Path file) {
    try (var records = LogRecords.ofAll()) {
      new HashSecrets(Optional.empty(), Optional.of(file)).start(new StartupEvent());
      return records.seen().stream().filter(record -> record.contains("chmod 600")).count();
    }
  }

  @Test
  void theLogNamesIdsAndNoSecret() {
    try (var records = LogRecords.ofAll()) {
      HashSecrets.of(ONE, TWO).start(new StartupEvent());
      var log = String.join("\n", records.seen());
      assertTrue(log.contains(HashSecret.parse(ONE).id()), log);
      assertFalse(log.contains(ONE) || log.contains(TWO));
    }
  }

  @Test
  void everyWayToWriteASecretIsTheSameSecret() {
    var bytes = new byte[33];
    for (var i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (0xf8 + i);
    }
    var id = HashSecret.parse(HexFormat.of().formatHex(bytes)).id();
    assertEquals(id, HashSecret.parse(HexFormat.of().withUpperCase().formatHex(bytes)).id());
    assertEquals(id, HashSecret.parse(Base64.getEncoder().encodeToString(bytes)).id());
    assertEquals(id, HashSecret.parse(Base64.getUrlEncoder().encodeToString(bytes)).id());
    assertNotEquals(id, HashSecret.parse(ONE).id());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "correct-horse-battery-staple",
        "0101010101010101010101010101010101010101010101010101010101010",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "no!base64?no!base64?no!base64?no!base64?no!base64?"
      })
  void weakAndMalformedSecretsAreRefusedAndNotRepeated(String bad) {
    var failure =
        assertThrows(
            ConfigurationException.class,
            () -> new HashSecrets(Optional.of(ONE + "," + bad), Optional.empty()));
    assertTrue(failure.getMessage().contains("secret 2"), failure.getMessage());
    assertFalse(failure.getMessage().contains(bad));
    assertFalse(failure.getMessage().contains(ONE));
    assertEquals(null, failure.getCause());
  }

  @Test
  void newFiltersGetTheFirstSecretAndAKeyOfTheirOwn() {
    var secrets = HashSecrets.of(TWO, ONE);
    var first = secrets.forContent(NEW);
    var second = secrets.forContent(NEW);

    assertEquals(HashSecret.parse(TWO).id(), first.keyOrigin().orElseThrow().secretId());
    assertNotEquals(first, second);
    assertTrue(first.canLocate());
    assertEquals(first, secrets.forContent(first));
    assertTrue(HashSecrets.of(ONE, TWO).scheme(first.keyOrigin().orElseThrow()).canLocate());
  }

  @Test
  void thePropertyComesBeforeTheFile() throws IOException {
    var file = Files.writeString(folder.resolve("secrets"), "# old ones\n" + TWO + "\r\n\n");
    var both = new HashSecrets(Optional.of(ONE), Optional.of(file));
    var ofFile = new HashSecrets(Optional.empty(), Optional.of(file)).forContent(NEW);

    assertEquals(
        HashSecret.parse(ONE).id(), both.forContent(NEW).keyOrigin().orElseThrow().secretId());
    assertTrue(both.scheme(ofFile.keyOrigin().orElseThrow()).canLocate());
  }

  @Test
  void unusableFilesAreRefused() throws IOException {
    assertRefused(folder.resolve("missing"));
    assertRefused(Files.writeString(folder.resolve("empty"), "# nothing\n"));
    assertRefused(Files.write(folder.resolve("large"), new byte[(1 << 16) + 1]));
    assertRefused(Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 1}));
    assertRefused(Files.writeString(folder.resolve("marked"), "\ufeff" + ONE));
  }

  private static void assertRefused(Path file) {
    var failure =
        assertThrows(
            ConfigurationException.class,
            () -> new HashSecrets(Optional.empty(), Optional.of(file)));
    assertTrue(failure.getMessage().contains(file.toString()), failure.getMessage());
  }

  @Test
  void withoutASecretNoFilterIsKeyed() {
    var none = HashSecrets.of();
    assertEquals(ErrorCode.INVALID_REQUEST, failure(none, NEW));
    assertEquals(ErrorCode.SECRET_MISSING, failure(none, HashSecrets.of(ONE).forContent(NEW)));
    assertEquals(HashSchemes.nativeScheme(), none.forContent(HashSchemes.nativeScheme()));
  }

  private static ErrorCode failure(HashSecrets secrets, HashScheme scheme) {
    var stored =
        scheme
            .keyOrigin()
            .map(origin -> HashSchemes.keyed(origin, Optional.empty()))
            .orElse(scheme);
    return assertThrows(BloomException.class, () -> secrets.forContent(stored)).code();
  }
}
