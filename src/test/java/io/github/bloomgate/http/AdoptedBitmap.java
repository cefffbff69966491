package io.github.bloomgate.http;

import static org.hamcrest.Matchers.equalTo;

import io.github.bloomgate.support.RawRedis;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.Map;

/** A bitmap that a library keeps in Redis, and the filter that adopts it. */
abstract class AdoptedBitmap {

  @Inject RawRedis redis;

  final String name = Api.newName();
  final String key = "lib:" + Api.newName();

  ValidatableResponse adopt(int bits) {
    return put(Map.of("hashScheme", "go-zero", "bitSize", bits, "redisKey", key));
  }

  ValidatableResponse put(Map<String, ?> body) {
    return Api.put(name, body);
  }

  ValidatableResponse delete(String query) {
    return Api.delete(name + query);
  }

  void expectProblem(int status, String code) {
    Api.test(name, "a").statusCode(status).body("code", equalTo(code));
    Api.add(name, "a").statusCode(status).body("code", equalTo(code));
    Api.describe(name).statusCode(status).body("code", equalTo(code));
    Api.post(name, "clear", "").statusCode(status).body("code", equalTo(code));
  }

  String own(String kind) {
    return "bloom:{" + name + "}" + (kind.equals("state") ? "" : ":" + kind);
  }
}
