package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The scripts on a filter's first segment, on a bench. */
abstract class FilterScriptCalls extends OnScriptBench {

  static final Optional<Long> NEVER = Optional.empty();

  static void add(Filter filter) {
    assertEquals(
        "OK 1",
        bench.run(
            Script.ADD,
            Keys.ofFirstSegment(filter.name()),
            filter.generation(),
            3,
            ScriptBench.MARK,
            0,
            1,
            2,
            3));
  }

  static String rename(FilterName from, FilterName to, boolean replace) {
    var keys = Stream.concat(Keys.ofFilter(from).stream(), Keys.ofFilter(to).stream()).toList();
    return bench.run(Script.RENAME, keys, replace ? "1" : "0");
  }

  static Filter rename(Filter filter, FilterName name) {
    return new Filter(
        name,
        filter.parameters(),
        filter.generation(),
        filter.revision(),
        filter.pending(),
        filter.createdAt(),
        filter.expiresAt(),
        filter.adoptedKey(),
        filter.isNext(),
        filter.next());
  }

  static void assertNothingLeft(FilterName name) {
    for (var key : Keys.ofFilter(name)) {
      assertFalse(bench.exists(key), key);
    }
  }

  static String incarnation(Filter filter) {
    return filter.generation().incarnation();
  }

  static List<String> whole(FilterName name) {
    return Keys.ofFirstSegment(name);
  }

  static String state(FilterName name) {
    return Keys.ofFilter(name).get(0);
  }

  static String bits(FilterName name) {
    return Keys.ofFilter(name).get(1);
  }

  static String list(FilterName name) {
    return Keys.ofFilter(name).get(2);
  }
}
