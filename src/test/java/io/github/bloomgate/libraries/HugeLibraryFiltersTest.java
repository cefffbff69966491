package io.github.bloomgate.libraries;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The largest filter of each golden file, with half a gigabyte each, one at a time. Redis takes
 * most of a second to allocate memory for its last bit, and several seconds on a busy machine.
 */
@QuarkusTest
@TestProfile(HugeLibraryFiltersTest.LongCalls.class)
@Tag("long")
class HugeLibraryFiltersTest {

  @Inject RawRedis redis;

  public static class LongCalls implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("bloomgate.redis.call-timeout", "60s");
    }
  }

  /**
   * Omits rueidisprob, whose golden file has no filter that large. {@code RueidisFiltersTest}
   * covers it.
   */
  static List<String> schemes() {
    return HashSchemes.ids().stream()
        .filter(id -> HashSchemes.named(id).orElseThrow().isAdoptable())
        .filter(id -> !id.equals("rueidisprob"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void itsBitsMatchTheLibrary(String scheme) {
    new VectorFilters(scheme, redis).checkHuge();
  }
}
