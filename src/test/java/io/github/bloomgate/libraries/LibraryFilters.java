package io.github.bloomgate.libraries;

import io.github.bloomgate.hash.LibraryVectors;
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
