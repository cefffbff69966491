package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads the catalogue of names, which is in lexicographic order. It may contain expired filters.
 */
@Singleton
public class Names {

  private final RedisLink redis;

  Names(RedisLink redis) {
    this.redis = redis;
  }

  /**
   * Lists names in order.
   *
   * @param prefixes in order; none begins with another
   * @param after only names greater than this one
   */
  public List<FilterName> page(List<String> prefixes, Optional<FilterName> after, int limit) {
    var names = new ArrayList<FilterName>();
    for (var prefix : prefixes) {
      if (names.size() < limit) {
        names.addAll(page(prefix, after, limit - names.size()));
      }
    }
    return names;
  }

  private List<FilterName> page(String prefix, Optional<FilterName> after, int limit) {
    var first =
        after
            .filter(name -> name.value().compareTo(prefix) >= 0)
            .map(name -> "(" + name)
            .orElse("[" + prefix);
    var request =
        Request.cmd(Command.ZRANGE)
            .arg(SlotKeys.names())
            .arg(first)
            .arg(behind(prefix))
            .arg("BYLEX")
            .arg("LIMIT")
            .arg(0)
            .arg(limit);
    return await(redis.send(request, Effect.READ)).stream()
        .map(name -> new FilterName(name.toString()))
        .toList();
  }

  /** The entries of some names in {@link NameStore}, in their order; empty for none. */
  public List<String> entries(List<FilterName> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    var request = Request.cmd(Command.HMGET).arg(SlotKeys.usage());
    names.forEach(name -> request.arg(name.value()));
    return await(redis.send(request, Effect.READ)).stream()
        .map(entry -> Objects.toString(entry, ""))
        .toList();
  }

  public long count(List<String> prefixes) {
    return prefixes.stream().mapToLong(this::count).sum();
  }

  private long count(String prefix) {
    var request =
        Request.cmd(Command.ZLEXCOUNT).arg(SlotKeys.names()).arg("[" + prefix).arg(behind(prefix));
    return await(redis.send(request, Effect.READ)).toLong();
  }

  /** The end of a range. Names are ASCII, so 0xff sorts after all names with the prefix. */
  private static byte[] behind(String prefix) {
    var end = new byte[prefix.length() + 2];
    end[0] = '(';
    for (var i = 0; i < prefix.length(); i++) {
      end[i + 1] = (byte) prefix.charAt(i);
    }
    end[prefix.length() + 1] = (byte) 0xff;
    return end;
  }
}
