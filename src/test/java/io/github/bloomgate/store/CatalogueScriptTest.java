package io.github.bloomgate.store;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.NameStore.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The replies and counts of the scripts of the catalogue. */
class CatalogueScriptTest extends ScriptsOfFilters {

  private static final Duration GRACE = Duration.ofMinutes(1);

  private FilterName name;
  private String owner;

  @BeforeEach
  void choose() {
    name = name();
    owner = random();
  }

  private Usage usage(FilterName its, long bytes) {
    return new Usage(its, bytes, owner, Optional.empty());
  }

  private NameReply enter(FilterName its, String seen, long bytes, Quota quota) {
    return names.reserve(seen, usage(its, bytes), GRACE, quota, Quota.NONE);
  }

  /** Enters a filter that has expired. */
  private String expired(FilterName its) {
    var expiry = Optional.of(Instant.ofEpochMilli(1));
    return entry(names.confirm("", new Usage(its, 100, owner, expiry), false));
  }

  private String entered(FilterName its, String seen, long bytes) {
    return entry(names.confirm(seen, usage(its, bytes), false));
  }

  private static String entry(NameReply reply) {
    return assertInstanceOf(NameReply.Done.class, reply).entry();
  }

  private static String sums(String its) {
    var field = its.equals("*") ? its : "=" + its;
    var sums = redis.command("HGET", Keys.usage(), field);
    return sums == null ? "none" : sums.toString();
  }

  private static boolean isListed(FilterName its) {
    return redis.command("ZSCORE", Keys.names(), its.value()) != null;
  }

  @Test
  void anEntryContainsWhatItCounts() {
    var entry = entry(names.confirm("", new Usage(name, 100, owner, Optional.of(LATER)), false));
    var fields = List.of(entry.split(" "));
    assertEquals("100", fields.get(0));
    assertEquals(List.of("0", owner), fields.subList(2, 4));
    assertEquals(0, redis.command("ZSCORE", Keys.names(), name.value()).toLong());
    assertEquals(
        LATER.toEpochMilli(), redis.command("ZSCORE", Keys.deadlines(), name.value()).toLong());
    assertEquals("1 100", sums(owner));
  }

  @Test
  void theActualUsageReplacesTheReservation() {
    var first = entered(name, "", 100);
    var second = entered(name, first, 250);
    assertEquals("1 250", sums(owner));
    var another = random();
    var usage = new Usage(name, 250, another, Optional.empty());
    var third = entry(names.confirm(second, usage, false));
    assertEquals("none", sums(owner));
    assertEquals("1 250", sums(another));
    assertEquals(new NameReply.Done("", false), names.leave(name, third, false));
    assertEquals("none", sums(another));
    assertEquals(false, isListed(name));
    assertNull(redis.command("HGET", Keys.usage(), name.value()));
  }

  @Test
  void aNameWithoutAnOwnerCountsToo() {
    owner = "";
    var before = sums("");
    var entry = entered(name, "", 100);
    assertNotEquals(before, sums(""));
    names.leave(name, entry, false);
    assertEquals(before, sums(""));
  }

  /** Both create the filter. The one that is too late must not remove the other's entry. */
  @Test
  void theLoserOfTwoCreatesRemovesNothing() {
    var winner = entered(name, "", 100);
    assertEquals(new NameReply.Differs(winner), enter(name, "", 100, Quota.NONE));
    var loser = entered(name, winner, 100);
    var confirmed = entered(name, loser, 100);
    assertEquals(new NameReply.Differs(confirmed), names.leave(name, loser, false));
    assertEquals(true, isListed(name));
    assertEquals("1 100", sums(owner));
  }

  /** Another client created a filter with the old name, or changed the renamed one. */
  @Test
  void neitherNameChangesIfAnEntryHasChanged() {
    var old = entered(name, "", 100);
    var newName = name();
    var reserved = entry(enter(newName, "", 100, Quota.NONE));
    var confirmed = entered(newName, reserved, 100);
    assertEquals(
        new NameReply.Differs(confirmed), names.confirm(reserved, usage(newName, 7), name, old));
    entered(name, old, 100);
    assertEquals(
        new NameReply.Differs(confirmed), names.confirm(confirmed, usage(newName, 7), name, old));
    assertEquals(List.of(true, true), List.of(isListed(name), isListed(newName)));
    assertEquals("2 200", sums(owner));
  }

  @Test
  void removingTwiceIsHarmless() {
    var entry = entered(name, "", 100);
    names.leave(name, entry, false);
    assertEquals(new NameReply.Differs(""), names.leave(name, entry, false));
    assertEquals(new NameReply.Done("", false), names.leave(name, "", false));
    assertEquals("none", sums(owner));
  }

  @Test
  void allOwnersTogetherHaveAtMostTheTotalQuota() {
    entered(name, "", 100);
    owner = random();
    var all = sums("*").split(" ");
    var bytes = Long.parseLong(all[1]);
    var filters = new Quota("", Long.parseLong(all[0]), 0);
    var other = usage(name(), 10);
    assertEquals(
        new NameReply.OverQuota(true, true, filters.maxFilters(), 1, List.of()),
        names.reserve("", other, GRACE, Quota.NONE, filters));
    assertEquals(
        new NameReply.OverQuota(false, true, bytes, 10, List.of()),
        names.reserve("", other, GRACE, Quota.NONE, new Quota("", 0, bytes + 9)));
    entry(
        names.reserve(
            "", other, GRACE, Quota.NONE, new Quota("", filters.maxFilters() + 1, bytes + 10)));
    assertEquals(filters.maxFilters() + 1 + " " + (bytes + 10), sums("*"));
  }

  /** An operator has lowered the quota. */
  @Test
  void aFilterBeyondTheQuotaMayBecomeSmaller() {
    entered(name, "", 100);
    entered(name(), "", 100);
    var reserved = entry(enter(name, NameStore.ANY, 90, new Quota("", 1, 50)));
    entered(name, reserved, 90);
    assertEquals("2 190", sums(owner));
  }

  @Test
  void aNewExpiryReplacesTheOldOne() {
    var entry = expired(name);
    entered(name, entry, 100);
    assertNull(redis.command("ZSCORE", Keys.deadlines(), name.value()));
  }

  @Test
  void largeSumsStayExact() {
    var large = (1L << 50) + 1;
    entered(name, "", large);
    entered(name(), "", large);
    assertEquals("2 " + 2 * large, sums(owner));
  }

  @Test
  void pagesAreInTheOrderOfNames() {
    var prefix = "page" + random() + "-";
    var expected =
        IntStream.range(0, 5_000)
            .mapToObj(i -> new FilterName(prefix + "%04d".formatted(i)))
            .toList();
    expected.forEach(its -> entered(its, "", 1));
    var found = new ArrayList<FilterName>();
    for (var page = names.page(List.of(prefix), Optional.empty(), 700);
        !page.isEmpty();
        page = names.page(List.of(prefix), Optional.of(found.get(found.size() - 1)), 700)) {
      found.addAll(page);
    }
    assertEquals(expected, found);
    assertEquals(5_000, names.count(List.of(prefix)));
    assertEquals("5000 5000", sums(owner));
    var some = List.of(expected.get(7), name(), expected.get(4_999));
    var entries = names.entries(some);
    assertEquals(
        List.of(true, false, true), entries.stream().map(its -> its.startsWith("1 ")).toList());
  }

  @Test
  void keysOfAnotherTypeAreReported() {
    var other = name();
    var entry = expired(other);
    for (var key : List.of(Keys.names(), Keys.usage(), Keys.deadlines())) {
      redis.command("RENAMENX", key, "kept");
      redis.command("RPUSH", key, "x");
      try {
        assertFails(ErrorCode.WRONG_KEY_TYPE, () -> enter(name, "", 100, Quota.NONE));
        assertFails(ErrorCode.WRONG_KEY_TYPE, () -> names.leave(name, "", false));
      } finally {
        redis.command("RENAME", "kept", key);
      }
    }
    assertEquals("1 100", sums(owner));
    names.leave(other, entry, false);
  }

  /** Otherwise filters that are deleted to make room would still count. */
  @Test
  void aFullRedisStillCorrectsEntries() {
    var entry = entered(name, "", 100);
    var used = Long.toString(redis.info("memory", "used_memory") / 2);
    redis.command("CONFIG", "SET", "maxmemory", used);
    try {
      assertFails(ErrorCode.STORE_FULL, () -> enter(name(), "", 1, Quota.NONE));
      entry = entered(name, entry, 50);
      assertEquals("1 50", sums(owner));
      assertEquals("", entry(names.leave(name, entry, false)));
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertEquals("none", sums(owner));
    assertFalse(isListed(name));
  }
}
