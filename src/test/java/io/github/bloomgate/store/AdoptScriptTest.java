package io.github.bloomgate.store;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The adoption of a library's bitmap, and the life of its filter. */
class AdoptScriptTest extends AdoptionCalls {

  private static final Instant SOON = LATER.minusSeconds(1_800);

  private void configure() {
    redis("HSET", companion(), "size", BITS, "hashIterations", HASHES);
  }

  @TestFactory
  Stream<DynamicTest> otherKeysAreRefusedAndNothingChanges() {
    var harms = mismatches();
    harms.put("KEY_MISMATCH other size", () -> redis("HSET", companion(), "size", 131));
    harms.put("KEY_MISMATCH field", () -> redis("HDEL", companion(), "size"));
    harms.put("KEY_MISMATCH no config", () -> redis("DEL", companion()));
    return harms.entrySet().stream()
        .map(
            harm ->
                dynamicTest(
                    "[" + harm.getKey() + "]",
                    () -> {
                      use("redisson");
                      redis("SETBIT", bits(), BITS - 1, 1);
                      configure();
                      harm.getValue().run();
                      assertRefused(harm.getKey().split(" ")[0]);
                    }));
  }

  private void assertRefused(String code) {
    assertFails(ErrorCode.valueOf(code), () -> adopt(Optional.of(LATER)));
    assertEquals(-1, Math.max(-1, redis("PTTL", bits()).toLong()));
    assertTrue(!exists(Keys.state(name)));
  }

  @Test
  void aNameIsTakenOnce() {
    adopt();
    assertRefused(Refusal.EXISTS, adopt(Optional.empty()));
    redis("HDEL", Keys.state(name), "version");
    assertRefused(Refusal.EXISTS, adopt(Optional.empty()));
  }

  @Test
  void theEarliestExpiryOfTheLibraryIsUsed() {
    for (var dated : List.of(List.of(SOON, LATER), List.of(LATER, SOON))) {
      use("redisson");
      redis("SETBIT", bits(), 1, 1);
      configure();
      redis("PEXPIREAT", bits(), dated.get(0).toEpochMilli());
      redis("PEXPIREAT", companion(), dated.get(1).toEpochMilli());
      adopt();
      assertAllExpire(SOON);
    }
  }

  private void assertAllExpire(Instant expiry) {
    for (var key : List.of(Keys.state(name), bits(), companion())) {
      assertExpiry(Optional.of(expiry), key);
    }
    var stored = found(name).state().expiresAt().orElseThrow().toEpochMilli();
    assertTrue(Math.abs(stored - expiry.toEpochMilli()) < 1_000);
  }

  @Test
  void theRequestedExpiryWins() {
    redis("SETBIT", bits(), 1, 1);
    configure();
    redis("PEXPIREAT", bits(), SOON.toEpochMilli());
    assertDone(adopt(Optional.of(LATER)));
    assertAllExpire(LATER);
  }

  @Test
  void anotherVersionIsReported() {
    adopt();
    var before = live();
    assertDone(clear());
    assertEquals(new BitsReply.Outdated(), replyToAdd(bits(before, 1, 2, 3)));
    assertDone(delete(Optional.empty()));
    assertEquals(new BitsReply.Outdated(), replyToAdd(bits(before, 1, 2, 3)));
    assertEquals(0, redis("BITCOUNT", bits()).toInteger());
  }

  /** Keys that are not the filter's, by the error and the part that differs. */
  private Map<String, Runnable> mismatches() {
    var harms = new LinkedHashMap<String, Runnable>();
    harms.put("WRONG_KEY_TYPE bits", () -> list(bits()));
    harms.put("WRONG_KEY_TYPE config", () -> list(companion()));
    harms.put("KEY_MISMATCH bits", () -> redis("SETBIT", bits(), 136, 0));
    harms.put("KEY_MISMATCH size", () -> redis("HSET", companion(), "size", "0130"));
    harms.put("KEY_MISMATCH hashes", () -> redis("HSET", companion(), "hashIterations", 4));
    return harms;
  }

  private Map<String, Runnable> harms() {
    var harms = mismatches();
    harms.put("FILTER_DAMAGED bits", () -> redis("DEL", bits()));
    harms.put("FILTER_DAMAGED no bits", () -> redis("SET", bits(), ""));
    harms.put("FILTER_DAMAGED config", () -> redis("DEL", companion()));
    harms.put("FILTER_DAMAGED size", () -> redis("HDEL", companion(), "size"));
    harms.put("FILTER_DAMAGED hashes", () -> redis("HDEL", companion(), "hashIterations"));
    return harms;
  }

  private void list(String key) {
    redis("DEL", key);
    redis("RPUSH", key, "theirs");
  }

  @TestFactory
  Stream<DynamicTest> everyCallReportsTheStateOfTheKeys() {
    return harms().entrySet().stream()
        .map(
            harm ->
                dynamicTest(
                    "[" + harm.getKey() + "]",
                    () -> {
                      use("redisson");
                      adopt();
                      harm.getValue().run();
                      var code = ErrorCode.valueOf(harm.getKey().split(" ")[0]);
                      assertFails(code, () -> add(live(), 1, 2, 3));
                      assertFails(code, () -> test(live(), 1, 2, 3));
                      assertFails(code, () -> TestLink.await(raws.counts(live())));
                      assertFails(code, this::clear);
                      assertFails(code, () -> expire(Optional.of(LATER)));
                      open(name);
                      if (code == ErrorCode.FILTER_DAMAGED) {
                        assertDone(commit());
                        assertEquals(List.of(NO), test(live(), 1, 2, 3));
                      } else {
                        assertFails(code, this::commit);
                        assertFails(code, () -> delete(Optional.of(bitmap)));
                      }
                      assertDone(delete(Optional.empty()));
                    }));
  }

  @Test
  void aClearEmptiesTheBitmapAndKeepsItsExpiry() {
    use("rueidisprob");
    assertDone(adopt(Optional.of(LATER)));
    add(live(), 1, 2, 3);
    assertDone(clear());
    assertCounts(0, 0, live());
    assertEquals("0", redis("GET", companion()).toString());
    assertExpiry(Optional.of(LATER), bits());
    assertExpiry(Optional.of(LATER), companion());
  }

  @Test
  void allKeysGetANewExpiry() {
    adopt();
    for (var expiry : List.of(Optional.of(LATER), Optional.<java.time.Instant>empty())) {
      assertDone(expire(expiry));
      for (var key : List.of(Keys.state(name), bits(), companion())) {
        assertExpiry(expiry, key);
      }
    }
  }

  @Test
  void aCommitMovesTheBitsToTheLibrary() {
    assertDone(adopt(Optional.of(LATER)));
    add(live(), 1, 2, 3);
    open(name);
    assertEquals(List.of(NEW), add(next(), 4, 5, 6));
    TestLink.await(raws.fill(next(), 1, new byte[] {1}, 6));
    var next = next();
    assertEquals(Optional.empty(), dropped(commit()));
    assertEquals(List.of(NO, MAYBE, MAYBE), test(live(), 1, 2, 3, 4, 5, 6, 15, 15, 15));
    assertCounts(4, 7, live());
    assertFalse(exists(next.redisKey()));
    assertEquals(Written.NONE, found(name).state().written());
    assertExpiry(Optional.of(LATER), bits());
    assertEquals(new BitsReply.Outdated(), replyToAdd(bits(next, 1, 2, 3)));
  }

  @Test
  void anExpirySetByTheLibrarySurvivesACommit() {
    adopt();
    open(name);
    add(next(), 4, 5, 6);
    redis("PEXPIREAT", bits(), LATER.toEpochMilli());
    assertDone(commit());
    for (var key : List.of(Keys.state(name), bits(), companion())) {
      assertExpiry(Optional.of(LATER), key);
    }
  }

  @Test
  void anAbortLeavesTheLibraryItsBits() {
    adopt();
    add(live(), 1, 2, 3);
    open(name);
    add(next(), 4, 5, 6);
    var next = next();
    assertEquals(
        Optional.of(new Dropped(next.generation().content(), written(0))),
        dropped(stores.abort(name)));
    assertEquals(List.of(MAYBE, NO), test(live(), 1, 2, 3, 4, 5, 6));
  }
}
