package io.github.bloomgate.promises;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.ExportService;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.filters.OverviewService;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.http.response.FilterListView;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.Seeded;
import io.github.bloomgate.support.TestInstance;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promises 1 and 2 when another program overwrites keys of the service: whatever it writes, no
 * request fails with INTERNAL, and no test is answered with "no".
 */
@Tag("slow")
@OnRedis
class OverwrittenKeysTest extends Seeded {

  private static final List<byte[]> ELEMENTS = elements("element ", 300);
  private static final List<byte[]> MORE = elements("more ", 3);
  private static final int HEADER_FLIPS = 15;
  private static final int MAGIC_BYTES = 8;
  private static final String[] JUNK = {
    "", "junk", "-1", "1e5", "0x1F", "99999999999999999999", "1.5", "\u00ff\u00ff", "{}", "null"
  };

  /** Errors that tell operators what is wrong. */
  private static final Set<ErrorCode> EXPECTED =
      Set.of(
          ErrorCode.WRONG_KEY_TYPE,
          ErrorCode.FILTER_DAMAGED,
          ErrorCode.KEY_MISMATCH,
          ErrorCode.FILTER_CHANGED,
          ErrorCode.FILTER_FULL,
          ErrorCode.REBUILD_IN_PROGRESS,
          ErrorCode.REBUILD_NOT_FOUND,
          ErrorCode.SOURCE_NOT_FOUND,
          ErrorCode.FILTER_NOT_FOUND);

  static TestRedis redis;

  /** Has copies that are current. */
  static TestInstance one;

  /** Has known each filter since before its first add. */
  static TestInstance other;

  /** Has no copies. */
  @OnRedis.Special static TestInstance bare;

  @BeforeAll
  static void start() {
    bare = TestInstance.withoutCopies(redis);
  }

  private static List<TestInstance> all() {
    return List.of(one, other, bare);
  }

  /** A filter and the keys of its content. */
  private record Victim(FilterName name, List<String> bits, List<String> companions) {

    private String state() {
      return "bloom:{" + name + "}";
    }

    private List<String> all() {
      return Stream.of(List.of(state()), bits, companions).flatMap(List::stream).toList();
    }
  }

  private static Victim victim(AnyKind kind) {
    var name = kind.create(one);
    return filled(name);
  }

  /** Raw bits under a key of the service. */
  private static Victim raw() {
    var name = name();
    var scheme = HashSchemes.named("redisson").orElseThrow();
    one.create(name, FilterParameters.forShape(scheme, (1 << 24) + 64, 20, WhenFull.ACCEPT));
    return filled(name);
  }

  private static Victim filled(FilterName name) {
    other.describe(name);
    bare.describe(name);
    one.add(name, ELEMENTS);
    one.assertMaybe(name, ELEMENTS);
    var filter = one.describe(name).live();
    if (filter.isAdopted()) {
      var key = filter.redisKey();
      return new Victim(name, List.of(key), List.of("{" + key + "}:config"));
    }
    var bits =
        Arrays.stream(filter.written().indexes())
            .mapToObj(index -> TestInstance.segmentKey(filter, index))
            .toList();
    return new Victim(name, bits, List.of());
  }

  /** Uses a filter in every way, by every instance. */
  private void use(Victim victim, String harm, boolean mayBeUnknown) {
    use(victim, harm, mayBeUnknown, true);
  }

  private void use(Victim victim, String harm, boolean mayBeUnknown, boolean isListed) {
    var name = victim.name;
    for (var instance : all()) {
      test(instance, name, harm, mayBeUnknown);
      attempt(harm + ", describe", () -> describe(instance, name));
      if (isListed) {
        list(instance, name, harm);
      }
      attempt(harm + ", export", () -> export(instance, name));
      attempt(harm + ", copy", () -> copy(instance, name));
      attempt(harm + ", add", () -> instance.add(name, MORE));
      test(instance, name, harm, mayBeUnknown);
    }
    attempt(
        harm + ", expire", () -> bare.changes.expire(name, NewExpiry.of(TestInstance.inHours(2))));
    attempt(harm + ", clear", () -> other.changes.clear(name));
    attempt(harm + ", delete", () -> one.changes.delete(name, false));
    redis.command("DEL", victim.all().toArray(String[]::new));
  }

  private void test(TestInstance instance, FilterName name, String harm, boolean mayBeUnknown) {
    attempt(
        harm + ", test",
        () -> {
          for (var element : ELEMENTS.subList(0, 3)) {
            var known = instance.test(name, List.of(element))[0];
            assertTrue(known || mayBeUnknown, harm + ", seed " + seed);
          }
          var known = TestInstance.trueCount(instance.test(name, ELEMENTS));
          assertTrue(known == ELEMENTS.size() || mayBeUnknown, harm + ", seed " + seed);
        });
  }

  private void attempt(String what, Runnable use) {
    try {
      use.run();
    } catch (BloomException failure) {
      assertTrue(
          EXPECTED.contains(failure.code()),
          what + ": " + failure.code() + " " + failure.getMessage() + ", seed " + seed);
    } catch (RuntimeException failure) {
      throw new AssertionError(what + ", seed " + seed, failure);
    }
  }

  private static void describe(TestInstance instance, FilterName name) {
    var description = instance.describe(name);
    description.layers();
    description.slices();
    assertTrue(description.statistics().fillRatio() >= 0);
  }

  /** A damaged filter does not keep a list from being shown. */
  private static void list(TestInstance instance, FilterName name, String harm) {
    for (var figures : List.of(false, true)) {
      var page =
          instance.descriptions.list(
              List.of(name.value()), Optional.empty(), 10, figures, Client.SERVICE);
      assertTrue(FilterListView.of(page).filters().size() <= 1, harm);
    }
  }

  private static void export(TestInstance instance, FilterName name) {
    try {
      instance
          .get(ExportService.class)
          .begin(name, FileFormat.BLOOMGATE, false)
          .writeTo(OutputStream.nullOutputStream());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void copy(TestInstance instance, FilterName name) {
    var to = name();
    instance.copies.copy(name, to, false, Optional.empty(), Quota.NONE, Client.SERVICE);
    instance.changes.delete(to, false);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyOfAnotherType(AnyKind kind) {
    for (var index = 0; index < victim(kind).all().size(); index++) {
      var victim = victim(kind);
      var key = victim.all().get(index);
      redis.command("DEL", key);
      redis.command("RPUSH", key, "theirs");
      for (var instance : all()) {
        assertFails(ErrorCode.WRONG_KEY_TYPE, () -> instance.test(victim.name, ELEMENTS));
        assertFails(ErrorCode.WRONG_KEY_TYPE, () -> export(instance, victim.name));
        assertFails(ErrorCode.WRONG_KEY_TYPE, () -> copy(instance, victim.name));
      }
      use(victim, "another type of " + key, false);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rawBitsOfAnotherType(boolean isFilledAgain) {
    var victim = raw();
    redis.command("DEL", victim.bits.get(0));
    redis.command(isFilledAgain ? "RPUSH" : "SADD", victim.bits.get(0), "theirs");
    for (var instance : all()) {
      assertFails(ErrorCode.WRONG_KEY_TYPE, () -> instance.test(victim.name, ELEMENTS));
    }
    use(victim, "raw bits of another type", false);
  }

  private static List<Integer> cuts(byte[] string, Random random) {
    var length = string.length;
    var magic = new String(string, ISO_8859_1).lastIndexOf("BLOOMSG\1");
    var cuts = new ArrayList<>(List.of(0, 1, 8, 100, length / 2, length - 7, length - 1));
    if (magic >= 0) {
      cuts.addAll(List.of(magic, magic + MAGIC_BYTES, magic + 48, magic + 55, magic + 56));
    }
    for (var i = 0; i < 5; i++) {
      cuts.add(random.nextInt(length));
    }
    return cuts.stream().filter(cut -> cut >= 0 && cut < length).distinct().toList();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void aSegmentThatIsCut(AnyKind kind) {
    for (var isFolded : List.of(false, true)) {
      for (var cut : cuts(string(victim(kind)), random)) {
        var victim = victim(kind);
        if (isFolded) {
          one.fold();
        }
        cut(victim, cut);
        use(victim, (isFolded ? "folded and " : "") + "cut after " + cut, false);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rawBitsThatAreCut(boolean isLoaded) {
    for (var cut : cuts(string(raw()), random)) {
      var victim = raw();
      if (isLoaded) {
        var name = name();
        one.copies.copy(victim.name, name, false, Optional.empty(), Quota.NONE, Client.SERVICE);
        var filter = one.describe(name).live();
        victim = new Victim(name, List.of(TestInstance.segmentKey(filter, 0)), List.of());
      }
      cut(victim, cut);
      for (var instance : all()) {
        var name = victim.name;
        assertFails(ErrorCode.FILTER_DAMAGED, () -> instance.test(name, ELEMENTS));
      }
      use(victim, "raw bits cut after " + cut, false);
    }
  }

  private static byte[] string(Victim victim) {
    return redis.command("GET", victim.bits.get(0)).toBytes();
  }

  private static void cut(Victim victim, int length) {
    var key = victim.bits.get(0);
    if (length == 0) {
      redis.command("SET", key, "");
      return;
    }
    // Its value is not text.
    redis.command(
        "EVAL",
        "redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, ARGV[1]))",
        "1",
        key,
        String.valueOf(length - 1));
    assertEquals(length, redis.command("STRLEN", key).toInteger());
  }

  /** Wrong numbers of the right length are answered as they are, or as damage. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void junkInAHeader(AnyKind kind) {
    for (var flip = 0; flip < HEADER_FLIPS; flip++) {
      var victim = victim(kind);
      one.fold();
      var string = new String(string(victim), ISO_8859_1);
      var magic = string.lastIndexOf("BLOOMSG\1");
      var bit = 8 * (magic + MAGIC_BYTES) + random.nextInt(8 * 56);
      redis.command("SETBIT", victim.bits.get(0), String.valueOf(bit), "1");
      use(victim, "bit " + bit + " set, header at " + magic, true);
    }
  }

  static Stream<Object[]> fields() {
    return Stream.of(AnyKind.ONE_SEGMENT, AnyKind.GROWING, AnyKind.ADOPTED, null)
        .flatMap(kind -> Stream.of(JUNK).map(junk -> new Object[] {kind, junk}));
  }

  /** Without a kind: raw bits. */
  @ParameterizedTest
  @MethodSource("fields")
  void junkInAField(AnyKind kind, String junk) {
    var fields = redis.command("HKEYS", (kind == null ? raw() : victim(kind)).state());
    for (var field : fields) {
      var victim = kind == null ? raw() : victim(kind);
      redis.command("HSET", victim.state(), field.toString(), junk);
      use(victim, "field " + field + " is '" + junk + "'", false);
    }
  }

  static Stream<String> junk() {
    return Stream.of(JUNK);
  }

  /** The instance that loads it knows it from before. */
  @ParameterizedTest
  @MethodSource("junk")
  void junkInAFieldOfARebuild(String junk) {
    for (var opened = true; ; opened = false) {
      var fields =
          List.of(
              "incarnation",
              "written",
              "expiresAt",
              "idleTimeout",
              "received",
              "filterExpiresAt",
              "generation",
              "version",
              "definition",
              "home",
              "createdAt",
              "live");
      for (var field : fields) {
        var victim = victim(AnyKind.ONE_SEGMENT);
        var harm = "field " + field + " of the rebuild is '" + junk + "'";
        var rebuild =
            one.rebuilds.open(victim.name, parameters -> parameters, TestInstance.MAX_WAIT);
        TestInstance.await(rebuild.load(ELEMENTS, Client.SERVICE));
        if (opened) {
          other.describe(victim.name);
        }
        redis.command("HSET", victim.state() + ":next", field, junk);
        attempt(harm + ", load", () -> TestInstance.await(rebuild.load(MORE, Client.SERVICE)));
        attempt(
            harm + ", describe rebuild",
            () -> other.descriptions.describeRebuild(victim.name, Client.SERVICE).progress());
        attempt(
            harm + ", expire",
            () -> other.changes.expire(victim.name, NewExpiry.of(TestInstance.inHours(2))));
        attempt(harm + ", commit", () -> rebuild.commit(0, NewExpiry.KEEP));
        attempt(harm + ", abort", rebuild::close);
        use(victim, harm, false);
        redis.command("DEL", victim.state() + ":next");
      }
      if (!opened) {
        return;
      }
    }
  }

  @ParameterizedTest
  @MethodSource("junk")
  void junkInAFieldOfASource(String junk) {
    var source = new Source(new Origin.RedisKey("missing"), new Schedule.ByHand(), false, 0, 0);
    for (var field :
        List.of(
            "source", "nextRunAt", "run", "leasedUntil", "attempt", "runStartedAt", "lastRun")) {
      var victim = victim(AnyKind.ONE_SEGMENT);
      one.sources.attach(victim.name, source);
      var key = victim.state() + ":source";
      redis.command("HSET", key, field, junk);
      var harm = "field " + field + " of the source is '" + junk + "'";
      attempt(harm + ", find", () -> one.sources.find(victim.name));
      attempt(
          harm + ", run",
          () -> {
            var unused = one.runs.start(victim.name);
          });
      use(victim, harm, false);
      redis.command("DEL", key);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloom:{=names}",
        "bloom:{=names}:usage",
        "bloom:{=names}:deadlines",
        "bloom:{=names}:agenda"
      })
  void aKeyOfTheCatalogueOfAnotherType(String key) {
    var victim = victim(AnyKind.ONE_SEGMENT);
    redis.command("COPY", key, "kept " + key);
    redis.command("DEL", key);
    redis.command("SET", key, "theirs");
    try {
      for (var instance : all()) {
        attempt("list", () -> list(instance, victim.name, key));
        attempt(
            "count", () -> instance.get(OverviewService.class).filters(List.of(""), Duration.ZERO));
        attempt("create", () -> AnyKind.ONE_SEGMENT.create(instance));
        attempt("rename", () -> instance.renames.rename(victim.name, name(), false));
        attempt("due sources", () -> instance.get(Agenda.class).due(10));
      }
      use(victim, "another type of " + key, false, false);
    } finally {
      redis.command("DEL", key);
      redis.command("COPY", "kept " + key, key);
    }
  }
}
