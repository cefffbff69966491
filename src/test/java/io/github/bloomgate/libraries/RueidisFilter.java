package io.github.bloomgate.libraries;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** A filter of rueidisprob shared by the service and the library. */
abstract class RueidisFilter {

  static final int BITS = 9586;
  static final int HASHES = 7;
  static final Map<String, Object> SHAPE =
      Map.of("hashScheme", "rueidisprob", "bitSize", BITS, "numHashFunctions", HASHES);

  @Inject RawRedis redis;

  AdoptedFilter ours;
  RueidisOnRedis theirs;

  @BeforeEach
  void name() {
    ours = AdoptedFilter.of(redis, "{rueidis " + Api.newName() + "}");
    theirs = new RueidisOnRedis(redis, ours.key(), BITS, HASHES);
  }

  ValidatableResponse clear() {
    return Api.raw().post(Api.FILTERS + ours.name() + "/clear").then();
  }

  boolean exists(String key) {
    return redis.run("EXISTS", key).toInteger() == 1;
  }
}
