package io.github.bloomgate.service;

import static io.github.bloomgate.service.TestInstance.await;
import static io.github.bloomgate.service.TestInstance.elements;
import static io.github.bloomgate.service.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.ErrorCode;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.smallrye.mutiny.Uni;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files loaded into a filter that stands for the hidden content. */
class ImportServiceTest {

  private static final long SMALL = 5_000_000;
  private static final long TWO_SEGMENTS = (1L << 24) + 64;

  private static TestRedis redis;
  private static TestInstance service;

  private final ImportService imports = new ImportService();

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
  void whatWasExportedIsLoadedWithItsCounts(long bitSize) throws Exception {
    var source = filled(bitSize, 500);
    var target = new Target(source);
    var header = imports.load(file(source), ignored -> Uni.createFrom().item(target));
    assertEquals(source.name(), header.name());
    assertTrue(target.isLive);
    assertFalse(target.isDropped);
    service.assertMaybe(target.filter.name(), elements("in ", 500));
    service.assertCountsAreExact(target.filter.name());
    assertEquals(
        service.describe(source.name()).statistics(),
        service.describe(target.filter.name()).statistics());
  }

  @Test
  void whatIsAddedWhileAFileIsLoadedStays() throws Exception {
    var source = filled(TWO_SEGMENTS, 500);
    var target = new Target(source);
    var name = target.filter.name();
    var adding =
        Beside.run(
            () -> {
              for (var i = 0; i < 50; i++) {
                service.add(name, elements("beside " + i + " ", 20));
              }
            });
    for (var i = 0; i < 10; i++) {
      imports.load(file(source), ignored -> Uni.createFrom().item(target));
    }
    adding.get();
    service.assertMaybe(name, elements("in ", 500));
    for (var i = 0; i < 50; i++) {
      service.assertMaybe(name, elements("beside " + i + " ", 20));
    }
    service.assertCountsAreExact(name);
  }

  @Test
  void aFileThatIsNotWholeNeverGoesLive() throws Exception {
    var source = filled(SMALL, 500);
    var whole = file(source).readAllBytes();
    var altered = whole.clone();
    altered[whole.length - 1] ^= 1;
    for (var bad : new byte[][] {Arrays.copyOf(whole, whole.length - 1), altered}) {
      var target = new Target(source);
      var failure =
          assertThrows(
              BloomException.class,
              () ->
                  imports.load(
                      new ByteArrayInputStream(bad), ignored -> Uni.createFrom().item(target)));
      assertEquals(ErrorCode.CORRUPT_IMPORT, failure.code());
      assertFalse(target.isLive);
      assertTrue(target.isDropped);
    }
  }

  @Test
  void aWrongHeaderOpensNothing() throws Exception {
    var bytes = file(filled(SMALL, 1)).readAllBytes();
    bytes[40] ^= 1;
    assertThrows(
        BloomException.class,
        () ->
            imports.load(
                new ByteArrayInputStream(bytes),
                ignored -> {
                  throw new AssertionError("opened");
                }));
  }

  @Test
  void aFailureOfTheStreamOrTheStoreDropsWhatWasLoaded() throws Exception {
    var source = filled(SMALL, 500);
    var target = new Target(source);
    var part = Arrays.copyOf(file(source).readAllBytes(), 300_000);
    var broken = new SequenceInputStream(new ByteArrayInputStream(part), new Broken());
    assertThrows(
        IOException.class, () -> imports.load(broken, ignored -> Uni.createFrom().item(target)));
    assertTrue(target.isDropped && !target.isLive);

    var failing = new Target(source);
    failing.failure = Optional.of(BloomException.storeFull());
    var failure =
        assertThrows(
            BloomException.class,
            () -> imports.load(file(source), ignored -> Uni.createFrom().item(failing)));
    assertEquals(ErrorCode.STORE_FULL, failure.code());
    assertTrue(failing.isDropped && !failing.isLive);
  }

  private static Filter filled(long bitSize, int count) {
    var filter = service.create(name(), TestInstance.shape(bitSize, 4));
    service.add(filter.name(), elements("in ", count));
    return filter;
  }

  private static InputStream file(Filter filter) throws IOException {
    var out = new ByteArrayOutputStream();
    await(service.exports.begin(filter.name())).writeTo(out);
    return new ByteArrayInputStream(out.toByteArray());
  }

  /** Another filter of the same parameters; that it goes live and is dropped is only noted. */
  private static final class Target implements HiddenContent {

    private final Filter filter;
    private Optional<RuntimeException> failure = Optional.empty();
    private boolean isLive;
    private boolean isDropped;

    private Target(Filter like) {
      filter = service.create(name(), like.parameters());
    }

    @Override
    public Uni<Void> union(int segment, long offset, byte[] bytes, long insertions) {
      if (failure.isPresent()) {
        return Uni.createFrom().failure(failure.get());
      }
      return service
          .stores
          .segments()
          .union(filter, segment, offset, bytes, insertions)
          .replaceWithVoid();
    }

    @Override
    public Uni<Void> goLive() {
      isLive = true;
      return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> drop() {
      isDropped = true;
      return Uni.createFrom().failure(BloomException.storeFull());
    }
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
