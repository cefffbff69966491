package io.github.bloomgate.files;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.trueCount;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What identifies an exported file: the same as long as the file is the same, to the byte. */
@OnRedis
class ExportIdentityTest {

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance other;

  /** A file and its identity, which was also read without the file. */
  private record Exported(String identity, byte[] file) {

    static Exported of(TestInstance instance, FilterName name) {
      return of(instance, name, FileFormat.BLOOMGATE, false);
    }

    static Exported of(TestInstance instance, FilterName name, FileFormat format, boolean isPlain) {
      var export = instance.exports.begin(name, format, isPlain);
      var identity = hex(export.identity());
      var out = new ByteArrayOutputStream();
      try {
        export.writeTo(out);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      assertEquals(identity, hex(export.writtenIdentity()), "nothing was changed in between");
      return new Exported(identity, out.toByteArray());
    }

    void assertSame(Exported later) {
      assertEquals(identity, later.identity);
      assertArrayEquals(file, later.file);
    }

    Exported assertChanged(Exported later) {
      assertNotEquals(identity, later.identity);
      assertFalse(Arrays.equals(file, later.file));
      return later;
    }
  }

  private static String hex(Optional<byte[]> identity) {
    return HexFormat.of().formatHex(identity.orElseThrow());
  }

  private static FilterName filled(AnyKind kind) {
    var name = kind.create(service);
    service.add(name, elements("in", 300));
    return name;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ADOPTED")
  void itChangesWithTheContent(AnyKind kind) {
    var name = kind.create(service);
    var empty = Exported.of(service, name);
    empty.assertSame(Exported.of(other, name));
    service.add(name, elements("in", 300));
    var filled = empty.assertChanged(Exported.of(service, name));
    other.add(name, elements("more", 1));
    var more = filled.assertChanged(Exported.of(service, name));
    if (kind == AnyKind.COUNTING) {
      service.remove(name, elements("more", 1));
      more = more.assertChanged(Exported.of(service, name));
    }
    try (var rebuild = service.rebuilds.open(name, same -> same, TestInstance.MAX_WAIT)) {
      more.assertSame(Exported.of(other, name));
      rebuild.commit(0, NewExpiry.KEEP);
    }
    var rebuilt = more.assertChanged(Exported.of(service, name));
    service.add(name, elements("in", 300));
    var again = rebuilt.assertChanged(Exported.of(service, name));
    assertNotEquals(filled.identity, again.identity, "another generation");
    service.changes.clear(name);
    again.assertChanged(Exported.of(service, name));
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ADOPTED")
  void itIsTheSameOnOtherInstancesAndAfterFoldsAndRestarts(AnyKind kind) {
    var name = filled(kind);
    var filled = Exported.of(service, name);
    filled.assertSame(Exported.of(other, name));
    var key = TestInstance.segmentKey(service.describe(name).live(), 0);
    var unfolded = service.redis("GET", key).toBytes();
    service.fold();
    var isFolded = !Arrays.equals(unfolded, service.redis("GET", key).toBytes());
    // The others add bit by bit.
    assertEquals(kind != AnyKind.REJECTING && kind != AnyKind.GROWING, isFolded);
    filled.assertSame(Exported.of(service, name));
    redis.command("DEBUG", "RELOAD");
    try (var restarted = new TestInstance(redis)) {
      filled.assertSame(Exported.of(restarted, name));
    }
  }

  @Test
  void restoredContentHasItsIdentityAgain() {
    var name = filled(AnyKind.ONE_SEGMENT);
    var before = Exported.of(service, name);
    var key = TestInstance.segmentKey(service.describe(name).live(), 0);
    redis.command("COPY", key, key + ":backup");
    service.add(name, elements("later", 3));
    before.assertChanged(Exported.of(service, name));
    redis.command("RENAME", key + ":backup", key);
    before.assertSame(Exported.of(other, name));
  }

  /** Rings that have expired stay in the file until others take their place. */
  @Test
  void itIsTheSameWhenRingsExpire() {
    var name = service.create(name(), TestWindows.sized(100, Window.ofSeconds(2, 2, false))).name();
    service.add(name, elements("in", 10));
    var filled = Exported.of(service, name);
    Awaitility.await().until(() -> trueCount(other.test(name, elements("in", 10))) == 0);
    filled.assertSame(Exported.of(other, name));
    service.add(name, elements("in", 10));
    filled.assertChanged(Exported.of(other, name));
  }

  @Test
  void itDependsOnNameFormatAndPlain() {
    var counting = filled(AnyKind.COUNTING);
    var counters = Exported.of(service, counting);
    counters.assertChanged(Exported.of(service, counting, FileFormat.BLOOMGATE, true));
    var plain = filled(AnyKind.ONE_SEGMENT);
    var file = Exported.of(service, plain);
    file.assertSame(Exported.of(service, plain, FileFormat.BLOOMGATE, true));
    file.assertChanged(Exported.of(service, plain, FileFormat.REDIS_BITMAP, false));
    var renamed = name();
    service.renames.rename(plain, renamed, false);
    file.assertChanged(Exported.of(service, renamed));
  }

  @Test
  void theIdentityOfAFileIsThatOfTheContentInIt() throws IOException {
    var name = filled(AnyKind.SEVERAL_SEGMENTS);
    var export = service.exports.begin(name, FileFormat.BLOOMGATE, false);
    var before = hex(export.identity());
    other.add(name, elements("meanwhile", 10));
    export.writeTo(new ByteArrayOutputStream());
    assertNotEquals(before, hex(export.writtenIdentity()));
    assertEquals(Exported.of(other, name).identity, hex(export.writtenIdentity()));
  }

  @Test
  void readingItReadsNoSegment() {
    var name = filled(AnyKind.SEVERAL_SEGMENTS);
    var export = service.exports.begin(name, FileFormat.BLOOMGATE, false);
    redis.command("CONFIG", "RESETSTAT");
    assertEquals(hex(export.identity()), hex(export.identity()));
    var calls = redis.command("INFO", "commandstats").toString();
    assertFalse(calls.contains("cmdstat_get:"), calls);
  }

  /** Other clients change a library's bitmap without a trace. */
  @Test
  void rawBitsHaveNone() throws IOException {
    var export = service.exports.begin(filled(AnyKind.ADOPTED), FileFormat.BLOOMGATE, false);
    assertEquals(Optional.empty(), export.identity());
    export.writeTo(new ByteArrayOutputStream());
    assertEquals(Optional.empty(), export.writtenIdentity());
  }

  @Test
  void aMissingOrForeignSegmentIsDamage() {
    var name = filled(AnyKind.ONE_SEGMENT);
    var key = TestInstance.segmentKey(service.describe(name).live(), 0);
    var zeros = "\0".repeat(20);
    for (var damage :
        List.of(List.of("DEL", key), List.of("SET", key, "cut"), List.of("SET", key, zeros))) {
      redis.command(damage.get(0), damage.subList(1, damage.size()).toArray(String[]::new));
      var export = other.exports.begin(name, FileFormat.BLOOMGATE, false);
      assertFails(ErrorCode.FILTER_DAMAGED, export::identity);
    }
    redis.command("DEL", key);
    redis.command("LPUSH", key, "1");
    var export = other.exports.begin(name, FileFormat.BLOOMGATE, false);
    assertFails(ErrorCode.WRONG_KEY_TYPE, export::identity);
  }

  @Test
  void addingWhatIsKnownChangesNothing() {
    var name = filled(AnyKind.ONE_SEGMENT);
    var filled = Exported.of(service, name);
    service.add(name, List.of(element("in1")));
    filled.assertSame(Exported.of(service, name));
  }
}
