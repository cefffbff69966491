package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.in;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that Redisson would never leave behind are not answered with "no". */
@QuarkusTest
@Tag("slow")
class RedissonRefusalsTest extends RedissonFilters {

  @Test
  void keysRecreatedWithAnotherShapeAreNeverAnsweredWithNo() {
    ours.created(sized(STRING));
    ours.add("a");
    var theirs = redisson.filter(ours.key(), STRING);
    theirs.delete();
    assertTrue(theirs.tryInit(5 * N, 0.1));
    // First without bits, then with some.
    for (var code : List.of("FILTER_DAMAGED", "KEY_MISMATCH")) {
      for (var call : calls()) {
        call.statusCode(in(List.of(409, 410))).body("code", in(List.of("KEY_MISMATCH", code)));
      }
      theirs.add("b");
    }
    assertEquals(1, theirs.count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"size", "hashIterations"})
  void aConfigThatWasChangedByHandIsAMismatch(String field) {
    ours.created(sized(STRING));
    ours.add("a");
    var bits = ours.bits();
    long value = Long.parseLong(ours.config().get(field));
    redis.run("HSET", ours.configKey(), field, value + 1);
    assertNoAnswer(409, "KEY_MISMATCH");
    redis.run("HDEL", ours.configKey(), field);
    for (var call : calls()) {
      call.statusCode(in(List.of(409, 410)));
    }
    assertArrayEquals(bits, ours.bits());
    redis.run("HSET", ours.configKey(), field, value);
    assertEquals(List.of(true, false), ours.test("a", "b"));
  }

  /** The refused adoption leaves nothing behind. */
  @Test
  void anAdoptionWithAnotherShapeIsRefusedAndChangesNothing() {
    var theirs = madeByRedisson(STRING);
    theirs.add("a");
    var config = ours.config();
    var bits = ours.bits();
    var byBits = parameters(STRING);
    byBits.put("bitSize", theirs.getSize() + 1);
    byBits.put("numHashFunctions", theirs.getHashIterations());
    var byK = parameters(STRING);
    byK.put("bitSize", theirs.getSize());
    byK.put("numHashFunctions", theirs.getHashIterations() + 1);
    var byElements = parameters(STRING);
    byElements.put("expectedInsertions", N + 1);
    byElements.put("falsePositiveProbability", P);
    for (var parameters : List.of(byBits, byK, byElements)) {
      Api.refused(409, "KEY_MISMATCH", ours.put(parameters));
      Api.describe(ours.name()).statusCode(404);
      assertEquals(config, ours.config());
      assertArrayEquals(bits, ours.bits());
    }
    ours.created(sized(STRING));
    assertEquals(List.of(true), ours.test("a"));
  }

  /** Without a config hash the shape is unknown. */
  @Test
  void aMissingFilterIsNotAdoptedWithoutAShape() {
    int status = ours.put(parameters(STRING)).extract().statusCode();
    assertTrue(status >= 400 && status < 500, String.valueOf(status));
    Api.describe(ours.name()).statusCode(404);
    assertFalse(ours.keyExists() || ours.configExists());
  }

  @Test
  void anInvalidConfigIsRefused() {
    for (var size : List.of("", "x", "-1", "0", "4294967295", "99999999999999999999", "1.5")) {
      redis.run("HSET", ours.configKey(), "size", size, "hashIterations", "5");
      int status = ours.put(parameters(STRING)).extract().statusCode();
      assertTrue(status >= 400 && status < 500, status + " for " + size);
      Api.describe(ours.name()).statusCode(404);
      assertFalse(ours.keyExists());
    }
  }
}
