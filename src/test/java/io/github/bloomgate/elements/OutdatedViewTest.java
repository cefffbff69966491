package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An instance uses its outdated view of a filter that another instance has replaced. */
@OnRedis
class OutdatedViewTest {

  private static final FilterParameters PLAIN = TestInstance.shape(1 << 16, 7);
  private static final FilterParameters COUNTING = TestInstance.counting(1_000);
  private static final FilterParameters OF_TEXTS =
      FilterParameters.forShape(
          HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow(), 1 << 16, 6, WhenFull.ACCEPT);
  private static final List<byte[]> NO_TEXT = List.of(new byte[] {(byte) 0xff});

  private static TestInstance one;
  private static TestInstance other;

  /** Creates a filter that the other instance uses, and replaces it. */
  private static FilterName replaced(FilterParameters former, FilterParameters now) {
    var name = name();
    one.create(name, former);
    other.live.get(name);
    one.changes.delete(name, false);
    one.create(name, now);
    return name;
  }

  @Test
  void aReplacementWithCountersCountsAndRemoves() {
    var some = elements("a", 3);
    var name = replaced(PLAIN, COUNTING);
    one.add(name, some);
    assertArrayEquals(new byte[] {1, 1, 1}, other.count(name, some));
    name = replaced(PLAIN, COUNTING);
    one.add(name, some);
    assertEquals(
        3, await(other.elements.remove(name, some, Durability.PRIMARY)).trueCount(), "removed");
  }

  @Test
  void aReplacementWithoutCountersRefusesRemovals() {
    var name = replaced(COUNTING, PLAIN);
    assertFails(
        ErrorCode.INVALID_REQUEST,
        other.elements.remove(name, elements("a", 1), Durability.PRIMARY));
  }

  @Test
  void elementsThatTheOldSchemeRefusedAreAdded() {
    var name = replaced(OF_TEXTS, PLAIN);
    assertTrue(other.add(name, NO_TEXT)[0]);
    var several = List.of(replaced(OF_TEXTS, PLAIN), replaced(OF_TEXTS, PLAIN));
    var added = await(other.elements.addToAll(several, NO_TEXT, Durability.PRIMARY));
    added.values().forEach(answers -> assertEquals(1, answers.trueCount()));
    var third = replaced(OF_TEXTS, PLAIN);
    var gone = replaced(OF_TEXTS, PLAIN);
    one.changes.delete(gone, false);
    assertEquals(
        1, await(other.elements.testAll(List.of(third, gone), NO_TEXT, true)).size(), "present");
    assertFails(ErrorCode.INVALID_REQUEST, one.elements.test(replaced(PLAIN, OF_TEXTS), NO_TEXT));
  }

  @Test
  void aRebuildThatTheOldFilterRefusedIsOpened() {
    var name = replaced(COUNTING, PLAIN);
    other.rebuilds.open(name, former -> PLAIN, TestInstance.MAX_WAIT).abort();
  }
}
