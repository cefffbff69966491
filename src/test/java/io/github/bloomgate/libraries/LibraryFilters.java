package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The tests of every library: its golden file holds over HTTP and in Redis. */
abstract class LibraryFilters {

  @Inject RawRedis redis;

  private final List<String> schemes;

  LibraryFilters(String... schemes) {
    this.schemes = List.of(schemes);
  }

  @Test
  void elementsAddedOverHttpSetTheBitsOfTheLibrary() {
    forEach(VectorFilters::checkFilled);
  }

  @Test
  void aBitmapOfTheLibraryIsAdoptedAndAnsweredAsTheLibraryAnswers() {
    forEach(VectorFilters::checkAdopted);
  }

  @Test
  void changesByTheLibraryAreSeenAfterAnyNumberOfTests() {
    forEach(VectorFilters::checkSeenAtOnce);
  }

  @Test
  void aFilterUnderOwnKeysHasTheSameBits() {
    forEach(VectorFilters::checkOwn);
  }

  @Test
  void incompatibleChangesAreRefusedAndChangeNothing() {
    forEach(VectorFilters::checkRejectedParameters);
  }

  @Test
  void aKeyOfAnotherTypeIsRefusedAndKept() {
    forEach(
        vectors -> {
          var adopted = AdoptedFilter.of(redis);
          redis.run("RPUSH", adopted.key(), "x");
          Api.refused(409, "WRONG_KEY_TYPE", adopted.put(vectors.smallShape()));
          Api.describe(adopted.name()).statusCode(404);
          assertFalse(adopted.configExists());
          redis.run("DEL", adopted.key());

          adopted.created(vectors.smallShape());
          redis.run("DEL", adopted.key());
          redis.run("RPUSH", adopted.key(), "x");
          assertNoAnswer(adopted, 409, "WRONG_KEY_TYPE");
          assertEquals(1, redis.run("LLEN", adopted.key()).toInteger());
          adopted.delete(false);
          assertEquals(1, redis.run("LLEN", adopted.key()).toInteger());
          redis.run("DEL", adopted.key(), adopted.configKey());
        });
  }

  @Test
  void aBitmapLongerThanTheFilterIsRefusedAndKept() {
    forEach(
        vectors -> {
          var adopted = vectors.small();
          long m = ((Number) vectors.smallShape().get("bitSize")).longValue();
          long beyond = (m + 7) / 8 * 8;
          redis.run("SETBIT", adopted.key(), beyond, "1");
          var bits = adopted.bits();
          Api.refused(409, "KEY_MISMATCH", adopted.put(vectors.smallShape()));
          Api.describe(adopted.name()).statusCode(404);
          assertArrayEquals(bits, adopted.bits());

          redis.run("DEL", adopted.key());
          adopted.created(vectors.smallShape());
          redis.run("SETBIT", adopted.key(), beyond, "0");
          assertNoAnswer(adopted, 409, "KEY_MISMATCH");
          // The key no longer holds the adopted bitmap.
          JsonHttp.call(409, "DELETE", Api.FILTERS + adopted.name() + "?deleteKey=true", null);
          adopted.delete(false);
          redis.run("DEL", adopted.key(), adopted.configKey());
        });
  }

  /** A shorter one is normal: it grows as bits are set. */
  @Test
  void aBitmapShorterThanTheFilterIsRead() {
    forEach(
        vectors -> {
          var adopted = vectors.small();
          adopted.setBits(new byte[0]);
          adopted.created(vectors.smallShape());
          assertEquals(List.of(false), adopted.test("a"));
          adopted.add("a");
          assertEquals(List.of(true), adopted.test("a"));
          redis.run("SET", adopted.key(), "");
        });
  }

  @Test
  void aMissingKeyIsAnErrorAndNotNo() {
    forEach(
        vectors -> {
          var adopted = vectors.small();
          adopted.created(vectors.smallShape());
          redis.run("DEL", adopted.key());
          assertNoAnswer(adopted, 410, "FILTER_DAMAGED");
          assertFalse(adopted.keyExists());
          adopted.delete(true);
          assertFalse(adopted.configExists());
        });
  }

  @Test
  void ownKeysAndCountedInsertionsCannotBeShared() {
    forEach(
        vectors -> {
          var other = Api.newFilter();
          for (var key : List.of("bloom:{" + other + "}:bits", "bloom:catalogue", "bloom:x")) {
            var adopted = AdoptedFilter.of(redis, key);
            Api.refused(400, "INVALID_REQUEST", adopted.put(vectors.smallShape()));
            Api.describe(adopted.name()).statusCode(404);
          }
          var parameters = vectors.smallShape();
          parameters.put("whenFull", "reject");
          vectors.assertRefused(parameters);
        });
  }

  /** Asserts that operations on the bits fail, so that there is no answer about elements. */
  private static void assertNoAnswer(AdoptedFilter adopted, int status, String code) {
    var elements = Elements.ofTexts(List.of("a", "b"));
    Api.refused(status, code, Api.post(adopted.name(), "test", elements));
    Api.refused(status, code, Api.post(adopted.name(), "add", elements));
    Api.refused(status, code, Api.describe(adopted.name()));
  }

  final void assertRefused(String scheme, Map<String, Object> parameters) {
    var all = new HashMap<>(parameters);
    all.put("hashScheme", scheme);
    vectors(scheme).assertRefused(all);
  }

  private void forEach(Consumer<VectorFilters> check) {
    schemes.forEach(scheme -> check.accept(vectors(scheme)));
  }

  final VectorFilters vectors(String scheme) {
    return new VectorFilters(LibraryVectors.of(scheme), redis);
  }
}
