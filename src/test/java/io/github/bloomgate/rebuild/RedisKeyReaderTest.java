package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.SourceMembers;
import io.github.bloomgate.store.SourceMembers.Page;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis keys that are sources are read completely, even if they change meanwhile. */
@OnRedis
class RedisKeyReaderTest {

  private static final int COUNT = 5000;

  private static TestRedis redis;
  private static TestInstance instance;

  /** The scores of a sorted set are no elements. */
  @ParameterizedTest
  @CsvSource({"SADD, ''", "RPUSH, ''", "ZADD, 7777"})
  void aKeyIsReadWhole(String fill, String score) {
    for (var count : List.of(1, 3, 999, 1000, 1001, 1999, 2000, 2001, 5000)) {
      try (var reader = reader(filled(fill, score, SourcesOnRedis.texts("e", count)))) {
        assertEquals(Set.copyOf(SourcesOnRedis.texts("e", count)), textsOf(drain(reader)));
      }
    }
  }

  @Test
  void stableMembersOfASetAreReadDuringChanges() {
    var key = filled("SADD");
    var passing = arguments(key, "", SourcesOnRedis.texts("passes", 3000));
    var read = new HashSet<String>();
    var pages = 0;
    try (var reader = reader(key)) {
      for (var page = reader.next(); !page.isEmpty(); page = reader.next()) {
        read.addAll(textsOf(page));
        redis.command(pages++ % 2 == 0 ? "SADD" : "SREM", passing);
      }
    }
    assertTrue(pages > 2, pages + " pages");
    assertTrue(read.containsAll(SourcesOnRedis.texts("e", COUNT)));
  }

  @ParameterizedTest
  @CsvSource({
    "SADD, DEL",
    "SADD, UNLINK",
    "RPUSH, DEL",
    "RPUSH, UNLINK",
    "SADD, SET x",
    "RPUSH, LPOP",
    "RPUSH, LPUSH new",
    "RPUSH, LTRIM 0 10"
  })
  void aChangedKeyIsNotMistakenForItsEnd(String fill, String change) {
    var key = filled(fill);
    try (var reader = reader(key)) {
      assertTrue(!reader.next().isEmpty());
      var words = new ArrayList<>(List.of(change.split(" ")));
      var command = words.set(0, key);
      redis.command(command, words.toArray(String[]::new));
      assertUnreadable(reader);
    }
  }

  @Test
  void aListMayGrowAtItsEnd() {
    var key = filled("RPUSH");
    try (var reader = reader(key)) {
      var read = new ArrayList<>(reader.next());
      redis.command("RPUSH", key, "new");
      read.addAll(drain(reader));
      assertEquals(COUNT + 1, read.size());
    }
  }

  @Test
  void aReplacedSetKeepsCommonMembers() {
    var key = filled("SADD");
    var small = key + "-small";
    redis.command("SADD", small, "e1", "e2", "e4999");
    try (var reader = reader(key)) {
      var read = new ArrayList<>(reader.next());
      redis.command("RENAME", small, key);
      read.addAll(drain(reader));
      assertTrue(textsOf(read).containsAll(List.of("e1", "e2", "e4999")));
    }
  }

  /** In another process, the same cursor would skip members. */
  @ParameterizedTest
  @ValueSource(strings = {"SADD", "RPUSH"})
  void aPageOfAnotherProcessOfRedisIsRefused(String fill) {
    var members = instance.get(SourceMembers.class);
    var source = new Origin.RedisKey(filled(fill));
    var first = members.first(source);
    members.after(first, source);
    var elsewhere = new Page(first.type(), "another", first.cursor(), first.members());
    assertFails(ErrorCode.SOURCE_UNREADABLE, () -> members.after(elsewhere, source));
  }

  /** This limits the memory of the service and the time that Redis takes. */
  @ParameterizedTest
  @CsvSource({"SADD, ''", "RPUSH, ''", "ZADD, 1"})
  void aPageOfLongElementsIsShort(String fill, String score) {
    var count = 200;
    var elements =
        SourcesOnRedis.texts("", count).stream()
            .map(i -> i.repeat(ElementEncoding.MAX_ELEMENT_BYTES / 3));
    var key = filled(fill, score, elements.toList());
    var read = 0;
    try (var reader = reader(key)) {
      for (var page = reader.next(); !page.isEmpty(); page = reader.next()) {
        var bytes = page.stream().mapToLong(element -> element.length).sum();
        assertTrue(bytes <= 2 << 20, bytes + " bytes");
        read += page.size();
      }
    }
    assertEquals(count, read);
  }

  private static String filled(String command) {
    return filled(command, "", SourcesOnRedis.texts("e", COUNT));
  }

  private static String filled(String command, String score, List<String> elements) {
    var key = "k" + UUID.randomUUID();
    redis.command(command, arguments(key, score, elements));
    return key;
  }

  private static String[] arguments(String key, String score, List<String> elements) {
    var scored = elements.stream().flatMap(element -> Stream.of(score, element));
    return Stream.concat(Stream.of(key), scored)
        .filter(text -> !text.isEmpty())
        .toArray(String[]::new);
  }

  private static Set<String> textsOf(List<byte[]> elements) {
    return elements.stream()
        .map(element -> new String(element, StandardCharsets.US_ASCII))
        .collect(Collectors.toSet());
  }

  private static RedisKeyReader reader(String key) {
    return new RedisKeyReader(instance.get(SourceMembers.class), new Origin.RedisKey(key));
  }

  private static List<byte[]> drain(RedisKeyReader reader) {
    return Stream.generate(reader::next)
        .takeWhile(page -> !page.isEmpty())
        .flatMap(List::stream)
        .toList();
  }

  private static void assertUnreadable(RedisKeyReader reader) {
    assertFails(ErrorCode.SOURCE_UNREADABLE, () -> drain(reader));
  }
}
