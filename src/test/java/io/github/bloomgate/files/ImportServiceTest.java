package io.github.bloomgate.files;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FilterFileReader;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that become filters, or take the place of their content. */
class ImportServiceTest {

  private static final FileDescription FILE = FileDescription.of(FileFormat.BLOOMGATE);

  private static final long SMALL = 5_000_000;
  private static final long TWO_SEGMENTS = (1L << 24) + 64;

  private static TestRedis redis;
  private static TestInstance service;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    service.close();
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {64, SMALL, TWO_SEGMENTS})
  void aFilterIsMadeOfAFileWithItsCounts(long bitSize) throws Exception {
    var source = filled(bitSize, 500);
    var name = name();
    var made = service.imports.load(name, FILE, file(source), Quota.NONE);
    assertEquals(name, made.filter().name());
    assertEquals(source.parameters(), made.filter().parameters());
    assertTrue(made.filter().generation().isFirst());
    assertEquals(service.describe(source.name()).statistics(), made.statistics());
    service.assertMaybe(name, elements("in ", 500));
    service.assertCountsAreExact(name);
    assertEquals(
        List.of(name),
        service.descriptions.list(List.of(name.value()), Optional.empty(), 9).entries().stream()
            .map(FilterPage.Entry::name)
            .toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {64, SMALL, TWO_SEGMENTS})
  void aFileReplacesAFilterAndItsParametersAndKeepsItsDeadline(long bitSize) throws Exception {
    var source = filled(bitSize, 500);
    var deadline = Optional.of(Instant.now().plusSeconds(7200).truncatedTo(ChronoUnit.MILLIS));
    for (var replaced : List.of(TestInstance.shape(6400, 3), TestInstance.SEVERAL)) {
      var filter = service.create(name(), replaced, deadline);
      service.add(filter.name(), elements("old ", 100));
      var loaded = service.imports.load(filter.name(), FILE, file(source), Quota.NONE);
      assertEquals(source.parameters(), loaded.filter().parameters());
      assertEquals(2, loaded.filter().generation().number());
      assertEquals(service.describe(source.name()).statistics(), loaded.statistics());
      service.assertMaybe(filter.name(), elements("in ", 500));
      service.assertDeadline(filter.name(), deadline);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {SMALL, TWO_SEGMENTS})
  void whatIsAddedWhileAFileIsLoadedStays(long bitSize) throws Exception {
    var source = filled(bitSize, 500);
    var file = new FilterFileReader(file(source));
    var name = service.create(name(), TestInstance.shape(640_000, 5)).name();
    service.replacements.createOrReplace(
        name,
        FilterPlan.of(source.parameters()),
        next -> {
          service.add(name, elements("before ", 100));
          file.read(new FileLoad(next, service.loads));
          service.add(name, elements("after ", 100));
        },
        NewDeadline.KEEP,
        Quota.NONE);
    service.assertMaybe(name, elements("in ", 500));
    service.assertMaybe(name, elements("before ", 100));
    service.assertMaybe(name, elements("after ", 100));
    service.assertCountsAreExact(name);
  }

  @Test
  void aFileThatIsNotWholeMakesAndChangesNothing() throws Exception {
    var whole = file(filled(SMALL, 500)).readAllBytes();
    var altered = whole.clone();
    altered[whole.length - 1] ^= 1;
    var header = whole.clone();
    header[40] ^= 1;
    var cut = Arrays.copyOf(whole, whole.length - 1);
    var filter = filled(6400, 50);
    for (var bad : List.of(cut, altered, header, new byte[0])) {
      for (var name : List.of(name(), filter.name())) {
        var failure =
            assertThrows(
                BloomException.class,
                () -> service.imports.load(name, FILE, new ByteArrayInputStream(bad), Quota.NONE));
        assertEquals(ErrorCode.CORRUPT_IMPORT, failure.code());
        assertEquals(List.of(), service.keysWith(name.value() + "}:state:next"));
      }
      assertEquals(filter.generation(), service.describe(filter.name()).filter().generation());
      service.assertMaybe(filter.name(), elements("in ", 50));
    }
  }

  @Test
  void aStreamThatBreaksMakesAndChangesNothing() throws Exception {
    var part = Arrays.copyOf(file(filled(SMALL, 500)).readAllBytes(), 300_000);
    var name = name();
    var broken = new SequenceInputStream(new ByteArrayInputStream(part), new Broken());
    var failure =
        assertThrows(
            BloomException.class, () -> service.imports.load(name, FILE, broken, Quota.NONE));
    assertEquals(ErrorCode.INVALID_REQUEST, failure.code());
    assertEquals(List.of(), service.keysWith(name.value()));
  }

  @Test
  void aFailureOfTheStoreLeavesTheFilterAsItWas() throws Exception {
    var source = file(filled(SMALL, 500)).readAllBytes();
    var filter = filled(6400, 50);
    redis.command("CONFIG", "SET", "maxmemory", "1");
    try {
      for (var name : List.of(name(), filter.name())) {
        var failure =
            assertThrows(
                BloomException.class,
                () ->
                    service.imports.load(name, FILE, new ByteArrayInputStream(source), Quota.NONE));
        assertEquals(ErrorCode.STORE_FULL, failure.code());
      }
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertEquals(filter.generation(), service.describe(filter.name()).filter().generation());
    service.assertMaybe(filter.name(), elements("in ", 50));
    assertEquals(List.of(), service.keysWith(filter.name().value() + "}:bits:next"));
  }

  @Test
  void noCopyOfAFileStaysOnTheDisk() throws Exception {
    var folder = Path.of(System.getProperty("java.io.tmpdir"));
    var source = file(filled(SMALL, 500)).readAllBytes();
    var before = copies(folder);
    service.imports.load(name(), FILE, new ByteArrayInputStream(source), Quota.NONE);
    var cut = new ByteArrayInputStream(source, 0, source.length - 9);
    assertThrows(BloomException.class, () -> service.imports.load(name(), FILE, cut, Quota.NONE));
    var left = copies(folder);
    left.removeAll(before);
    assertEquals(Set.of(), left);
  }

  /** So that none is left when the service is killed. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void theCopyOfAFileHasNoNameWhileItIsMade() throws Exception {
    var folder = Path.of(System.getProperty("java.io.tmpdir"));
    var before = copies(folder);
    var seen = new HashSet<Path>();
    var in =
        new FilterInputStream(file(filled(SMALL, 500))) {
          @Override
          public int read(byte[] buffer, int start, int length) throws IOException {
            seen.addAll(copies(folder));
            return super.read(buffer, start, length);
          }
        };
    service.imports.load(name(), FILE, in, Quota.NONE);
    seen.removeAll(before);
    assertEquals(Set.of(), seen);
  }

  private static Set<Path> copies(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder, "bloomgate-import-*")) {
      var found = new HashSet<Path>();
      files.forEach(found::add);
      return found;
    }
  }

  private static Filter filled(long bitSize, int count) {
    var filter = service.create(name(), TestInstance.shape(bitSize, 4));
    service.add(filter.name(), elements("in ", count));
    return filter;
  }

  private static InputStream file(Filter filter) throws IOException {
    var out = new ByteArrayOutputStream();
    service.exports.begin(filter.name(), FileFormat.BLOOMGATE).writeTo(out);
    return new ByteArrayInputStream(out.toByteArray());
  }

  private static final class Broken extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("The client is gone");
    }

    @Override
    public int read(byte[] buffer, int start, int length) throws IOException {
      throw new IOException("The client is gone");
    }
  }
}
