package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.Script;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scripts that keep what is counted for the quotas. */
class UsageScriptsTest extends OnScriptBench {

  private static final String NO_OTHER = "";
  private static final int LEASE = 60_000;
  private static final Object[] NO_QUOTA = {};

  @BeforeEach
  void forget() {
    Keys.USAGE.forEach(key -> bench.redis("DEL", key));
  }

  @Test
  void whatIsReservedCountsWhetherItIsMadeOrNot() {
    ready();
    assertEquals("OK 100 0", reserve("a1", "t1", 100, quota(0, 150, "a")));
    assertEquals("BYTES 0 100 100", reserve("a2", "t2", 100, quota(0, 150, "a")));
    assertEquals("OK", run(Script.MADE, "a1", "t1", 100));
    assertEquals("BYTES 0 100 100", reserve("a2", "t2", 100, quota(0, 150, "a")));
    assertEquals("OK", recount("a1", change("a1"), "", ""));
    assertEquals("OK 100 0", reserve("a2", "t2", 100, quota(0, 150, "a")));
  }

  @Test
  void aQuotaOfSeveralPrefixesCountsAllOfThem() {
    ready();
    reserve("a1", "t1", 10, NO_QUOTA);
    reserve("b1", "t1", 10, NO_QUOTA);
    reserve("c1", "t1", 10, NO_QUOTA);
    assertEquals("FILTERS 0 2", reserve("a2", "t2", 1, quota(2, 0, "a", "c")));
    assertEquals("BYTES 0 5 20", reserve("a2", "t2", 5, quota(0, 24, "a", "c")));
    assertEquals("OK 5 0", reserve("a2", "t2", 5, quota(3, 25, "a", "c")));
  }

  @Test
  void theSecondOfTwoQuotasIsNamed() {
    ready();
    reserve("a1", "t1", 10, NO_QUOTA);
    assertEquals("FILTERS 1 1", reserve("a2", "t2", 1, 0, 0, 1, "a", 1, 0, 1, ""));
  }

  @Test
  void aNameThatCountsNeedsOnlyWhatItTakesMore() {
    ready();
    reserve("a1", "t1", 10, NO_QUOTA);
    run(Script.MADE, "a1", "t1", 10);
    assertEquals("OK 10 1", reserve("a1", "t2", 10, quota(1, 10, "a")));
    assertEquals("BYTES 0 2 10", reserve("a1", "t3", 12, quota(1, 11, "a")));
    assertEquals("OK 12 1", reserve("a1", "t4", 12, quota(1, 12, "a")));
    assertEquals("12", bench.redis("HGET", Keys.USAGE.get(2), "=a").toString());
  }

  @Test
  void asMuchIsReservedAsAnotherNameTakes() {
    reserve("a1", "t1", 10, NO_QUOTA);
    run(Script.MADE, "a1", "t1", 10);
    assertEquals("OK 10 0", run(Script.RESERVE, "b1", "t2", 0, "a1", LEASE));
    assertEquals("OK 0 0", run(Script.RESERVE, "b2", "t3", 0, "none", LEASE));
  }

  @Test
  void noQuotaIsGrantedBeforeAllFiltersAreCounted() {
    assertEquals("UNKNOWN", reserve("a1", "t1", 1, quota(1, 0, "a")));
    assertEquals("OK 1 0", reserve("a1", "t1", 1, NO_QUOTA));
    assertEquals("OK one", tally("one", false));
    assertEquals("OK one", tally("two", false), "who comes later goes on with it");
    assertEquals("OK one", tally("two", true), "not by this id");
    assertEquals("READY", tally("one", true));
    assertEquals("READY", tally("two", false));
    assertEquals("FILTERS 0 1", reserve("a2", "t1", 1, quota(1, 0, "a")));
  }

  @Test
  void whereAKeyIsLostAllIsCountedAgain() {
    for (var key : Keys.USAGE) {
      forget();
      ready();
      reserve("a1", "t1", 1, NO_QUOTA);
      bench.redis("DEL", key);
      assertEquals("UNKNOWN", reserve("a2", "t1", 1, quota(1, 0, "a")), key);
      assertEquals("OK one", tally("one", false));
      assertEquals("0", bench.redis("EXISTS", Keys.USAGE.get(0)).toString());
    }
  }

  @Test
  void whatChangedWhileItWasLookedAtIsCountedAgain() {
    reserve("a1", "t1", 10, NO_QUOTA);
    var before = change("a1");
    run(Script.MADE, "a1", "t1", 10);
    assertNotEquals(before, change("a1"));
    assertEquals("CHANGED", bench.assertWritesNothing(() -> recount("a1", before, "", "")));
    assertEquals("CHANGED", recount("none", "1", "5", ""));
    assertEquals("OK", recount("a1", change("a1"), "7", ""));
    assertTrue(entry("a1").endsWith(" 7"), entry("a1"));
    assertEquals("0", change("none"));
  }

  @Test
  void reservationsAreDroppedWhenTheyAreOverOrNotNeeded() {
    run(Script.RESERVE, "a1", "over", 10, NO_OTHER, -1);
    reserve("a1", "needed", 20, NO_QUOTA);
    reserve("a1", "done", 30, NO_QUOTA);
    assertEquals("OK", recount("a1", change("a1"), "", "done"));
    var entry = entry("a1");
    assertTrue(entry.matches("\\d+ - needed,20,\\d+"), entry);
  }

  @Test
  void aDamagedFilterTakesWhatItTook() {
    reserve("a1", "t1", 10, NO_QUOTA);
    run(Script.MADE, "a1", "t1", 10);
    assertEquals("OK", recount("a1", change("a1"), "=", ""));
    assertTrue(entry("a1").endsWith(" 10"), entry("a1"));
    assertEquals("OK", recount("a2", "0", "=", ""));
    assertTrue(entry("a2").endsWith(" 0"), entry("a2"));
  }

  @Test
  void namesAreListedWithTheirChanges() {
    for (var name : List.of("a1", "a2", "b1")) {
      reserve(name, "t1", 1, NO_QUOTA);
    }
    var found = run(Script.COUNTED, "(a1", "(b\u007f", 10);
    assertTrue(found.matches("OK \\{a2=\\d+, b1=\\d+}"), found);
    found = run(Script.COUNTED, "", "", "", "a1", "none");
    assertTrue(found.matches("OK \\{a1=\\d+, none=0}"), found);
  }

  @Test
  void aSumIsAddedUpPageByPage() {
    ready();
    for (var name : List.of("a1", "a2", "a3", "b1")) {
      reserve(name, "t1", 10, NO_QUOTA);
    }
    assertEquals("TOTAL a", run(Script.RESERVE, arguments("a9", "t1", 1, quota(0, 99, "a"))));
    assertEquals("MORE", run(Script.TOTAL, "a", 2));
    assertEquals("TOTAL a", run(Script.RESERVE, arguments("a9", "t1", 1, quota(0, 99, "a"))));
    // Before and behind the last name that was added.
    reserve("a0", "t1", 1, NO_QUOTA);
    reserve("a4", "t1", 2, NO_QUOTA);
    reserve("a1", "t2", 13, NO_QUOTA);
    recount("a2", change("a2"), "", "t1");
    recount("a3", change("a3"), "", "t1");
    assertEquals("MORE", run(Script.TOTAL, "a", 2));
    assertEquals("OK", run(Script.TOTAL, "a", 2));
    assertEquals("16", bench.redis("HGET", Keys.USAGE.get(2), "=a").toString());
    assertEquals("OK", bench.assertWritesNothing(() -> run(Script.TOTAL, "a", 2)));
  }

  private static void ready() {
    tally("id", false);
    tally("id", true);
  }

  private static String tally(String id, boolean isEnd) {
    return run(Script.TALLY, id, isEnd ? "1" : "0");
  }

  private static Object[] quota(long maxFilters, long maxBytes, String... prefixes) {
    var arguments = new ArrayList<Object>(List.of(maxFilters, maxBytes, prefixes.length));
    arguments.addAll(List.of(prefixes));
    return arguments.toArray();
  }

  /** Reserves, and adds up what has to be. */
  private static String reserve(String name, String token, long bytes, Object... quotas) {
    var arguments = arguments(name, token, bytes, quotas);
    var reply = run(Script.RESERVE, arguments);
    while (reply.startsWith("TOTAL")) {
      run(Script.TOTAL, reply.substring("TOTAL".length()).strip(), 500);
      reply = run(Script.RESERVE, arguments);
    }
    return reply;
  }

  private static Object[] arguments(String name, String token, long bytes, Object... quotas) {
    var arguments = new ArrayList<Object>(List.of(name, token, bytes, NO_OTHER, LEASE));
    arguments.addAll(List.of(quotas));
    return arguments.toArray();
  }

  private static String recount(String name, String change, String bytes, String token) {
    return run(Script.RECOUNT, name, change, bytes, token);
  }

  private static String change(String name) {
    return run(Script.COUNTED, "", "", "", name).replaceAll("OK \\{.*=(\\d+)}", "$1");
  }

  private static String entry(String name) {
    return bench.redis("HGET", Keys.USAGE.get(1), name).toString();
  }

  private static String run(Script script, Object... arguments) {
    return bench.run(script, Keys.USAGE, arguments);
  }
}
