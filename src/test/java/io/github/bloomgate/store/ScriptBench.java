package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/** Runs scripts one by one on a Redis of its own and looks at what they left. */
final class ScriptBench implements AutoCloseable {

  /** What a change leaves, whichever it is. */
  static final String MARK = "0123456789abcdef";

  /** Bits of the segments made here: not a whole number of bytes more than 8. */
  static final long SEGMENT_BITS = 128;

  /** Deadlines far enough from now and from each other that no delay matters. */
  static final long SOON = System.currentTimeMillis() + 3_600_000;

  static final long LATE = SOON + 3_600_000;

  private static final long TOLERANCE = 600_000;

  private final TestRedis redis = TestRedis.started();
  private final TestLink link = new TestLink(redis.options());
  private final ScriptRunner scripts = link.scripts();

  static FilterName name() {
    return new FilterName("n" + UUID.randomUUID());
  }

  /** A filter of one segment, or of several as small ones, which only scripts can have. */
  static Filter filter(int segments, long maxInsertions, Optional<Long> deadline) {
    var scheme = HashSchemes.nativeScheme();
    var shape = new FilterShape(segments, SEGMENT_BITS, 3);
    var parameters =
        new FilterParameters(
            scheme,
            Math.max(1, maxInsertions),
            0.01,
            shape,
            maxInsertions > 0 ? WhenFull.REJECT : WhenFull.ACCEPT);
    return Filter.create(
        name(),
        parameters,
        Instant.ofEpochMilli(1_700_000_000_000L),
        deadline.map(Instant::ofEpochMilli));
  }

  /** Runs a script and tells its reply as one line: the status and what follows it. */
  String run(Script script, List<String> keys, Object... arguments) {
    var reply =
        TestLink.await(
            scripts.run(
                script,
                keys,
                request -> {
                  for (var argument : arguments) {
                    request.arg(argument.toString());
                  }
                }));
    var line = new StringBuilder(reply.status());
    // What a commit leaves is read by those who describe it.
    var size = script == Script.COMMIT ? Math.min(reply.size(), 2) : reply.size();
    for (var i = 1; i < size; i++) {
      line.append(' ').append(text(reply, i));
    }
    // What scripts answer last may be empty.
    return line.toString().stripTrailing();
  }

  private static String text(ScriptReply reply, int index) {
    try {
      return reply.text(index);
    } catch (RuntimeException notText) {
      try {
        return Long.toString(reply.number(index));
      } catch (RuntimeException notNumber) {
        return new TreeMap<>(reply.fields(index)).toString();
      }
    }
  }

  /** Creates a filter by its script; what is to be made of later segments stays to be made. */
  Filter create(int segments, long maxInsertions, Optional<Long> deadline) {
    var filter = filter(segments, maxInsertions, deadline);
    assertEquals("CREATED", runCreate(filter));
    return filter;
  }

  Filter create() {
    return create(1, 0, Optional.empty());
  }

  /** A filter of one segment with so many hash functions. */
  Filter create(int numHashFunctions, long maxInsertions) {
    var filter = create(1, maxInsertions, Optional.empty());
    redis("HSET", Keys.ofFirstSegment(filter.name()).get(0), "numHashFunctions", numHashFunctions);
    return filter;
  }

  /** Creates a filter of three segments, all of them made and in use. */
  Filter createSeveral(Optional<Long> deadline) {
    var filter = create(3, 0, deadline);
    for (var segment = 1; segment < 3; segment++) {
      assertEquals("MADE b" + segment, make(filter, segment, "b" + segment));
      assertEquals("OK", activate(filter, segment, "b" + segment));
    }
    assertEquals("OK", finish(filter));
    return filter;
  }

  String runCreate(Filter filter) {
    var arguments =
        new ArrayList<Object>(
            List.of(
                filter.shape().segmentBits(),
                FilterStore.deadline(filter.expiresAt()),
                filter.generation().incarnation(),
                filter.shape().segments()));
    arguments.addAll(FilterState.newFields(filter));
    return run(Script.CREATE, Keys.ofFilter(filter.name()), arguments.toArray());
  }

  String reconcile(Filter filter, int segment) {
    return make(filter, segment, "");
  }

  String make(Filter filter, int segment, String birth) {
    var arguments =
        new ArrayList<Object>(
            List.of(
                filter.generation(),
                filter.revision(),
                filter.shape().segmentBits(),
                filter.parameters().maxInsertionsPerSegment(),
                FilterStore.deadline(filter.expiresAt()),
                birth));
    arguments.addAll(FilterState.kindFields(filter.parameters()));
    return run(Script.RECONCILE, Keys.ofSegment(filter, segment), arguments.toArray());
  }

  String activate(Filter filter, int segment, String birth) {
    return run(
        Script.ACTIVATE,
        Keys.ofSegment(filter, segment),
        filter.generation(),
        filter.revision(),
        birth,
        FilterStore.deadline(filter.expiresAt()));
  }

  String finish(Filter filter, Object... freed) {
    var arguments = new ArrayList<Object>(List.of(filter.generation(), filter.revision(), ""));
    arguments.addAll(List.of(freed));
    return run(Script.FINISH, Keys.ofFilter(filter.name()), arguments.toArray());
  }

  Response redis(String command, Object... arguments) {
    var texts = new String[arguments.length];
    for (var i = 0; i < arguments.length; i++) {
      texts[i] = arguments[i].toString();
    }
    return redis.command(command, texts);
  }

  boolean exists(String key) {
    return redis("EXISTS", key).toInteger() == 1;
  }

  String field(Filter filter, String field) {
    var value = redis("HGET", Keys.ofFirstSegment(filter.name()).get(0), field);
    return value == null ? "none" : value.toString();
  }

  Map<String, String> hash(String key) {
    var fields = new TreeMap<String, String>();
    var reply = redis("HGETALL", key);
    if (reply.type() == ResponseType.MULTI && !reply.isArray()) {
      reply.getKeys().forEach(field -> fields.put(field, reply.get(field).toString()));
    } else {
      for (var i = 0; i < reply.size(); i += 2) {
        fields.put(reply.get(i).toString(), reply.get(i + 1).toString());
      }
    }
    return fields;
  }

  /** Checks the deadlines of keys; 0 stands for none. */
  void assertDeadline(long expected, List<String> keys) {
    for (var key : keys) {
      var left = redis("PTTL", key).toLong();
      if (expected == 0) {
        assertEquals(-1, left, key);
      } else {
        assertTrue(
            left >= 0 && Math.abs(System.currentTimeMillis() + left - expected) < TOLERANCE,
            key + " has " + left + " ms left");
      }
    }
  }

  /** Checks that an action changes nothing in Redis, and gives its result. */
  <T> T assertWritesNothing(Supplier<T> action) {
    var before = changes();
    var result = action.get();
    assertEquals(before, changes(), "changes to the data");
    return result;
  }

  long changes() {
    return redis.info("persistence", "rdb_changes_since_last_save");
  }

  TestRedis server() {
    return redis;
  }

  @Override
  public void close() {
    link.close();
    redis.close();
  }
}
