package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The script that adopts a library's bitmap: what it creates, accepts and refuses. */
class SlotAdoptTest extends AdoptionCalls {

  private static final Instant SOON = LATER.minusSeconds(1_800);

  private void configure() {
    redis("HSET", companion(), "size", BITS, "hashIterations", HASHES);
  }

  @TestFactory
  Stream<DynamicTest> otherKeysAreRefusedAndNothingChanges() {
    var harms = new LinkedHashMap<String, Runnable>();
    harms.put("KEY_MISMATCH bits", () -> redis("SETBIT", bits(), 136, 0));
    harms.put("KEY_MISMATCH size", () -> redis("HSET", companion(), "size", 131));
    harms.put("KEY_MISMATCH hashes", () -> redis("HSET", companion(), "hashIterations", 4));
    harms.put("KEY_MISMATCH field", () -> redis("HDEL", companion(), "size"));
    harms.put("KEY_MISMATCH no config", () -> redis("DEL", companion()));
    harms.put("WRONG_KEY_TYPE bits", () -> list(bits()));
    harms.put("WRONG_KEY_TYPE config", () -> list(companion()));
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
    var refused = assertThrows(BloomException.class, () -> adopt(Optional.of(LATER)));
    assertEquals(ErrorCode.valueOf(code), refused.code());
    assertEquals(-1, Math.max(-1, redis("PTTL", bits()).toLong()));
    assertTrue(!exists(SlotKeys.state(name)));
  }

  private void list(String key) {
    redis("DEL", key);
    redis("RPUSH", key, "theirs");
  }

  @Test
  void aNameIsTakenOnce() {
    adopt();
    assertEquals(Refusal.EXISTS, refusal(adopt(Optional.empty())));
    redis("HDEL", SlotKeys.state(name), "version");
    assertEquals(Refusal.EXISTS, refusal(adopt(Optional.empty())));
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

  private void assertAllExpire(Instant deadline) {
    for (var key : List.of(SlotKeys.state(name), bits(), companion())) {
      assertDeadline(Optional.of(deadline), key);
    }
    var stored = found(name).state().expiresAt().orElseThrow().toEpochMilli();
    assertTrue(Math.abs(stored - deadline.toEpochMilli()) < 1_000);
  }

  @Test
  void theRequestedExpiryWins() {
    redis("SETBIT", bits(), 1, 1);
    configure();
    redis("PEXPIREAT", bits(), SOON.toEpochMilli());
    assertDone(adopt(Optional.of(LATER)));
    assertAllExpire(LATER);
  }
}
