package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The index of all names, in lexicographic order of their characters.
 *
 * <p>It lives in a slot of its own, so it cannot change in the same script as a filter. A name is
 * therefore entered before its filter is made and again after; one whose filter has expired stays
 * until somebody notices and calls {@link #remove}.
 */
@ApplicationScoped
public class Catalogue {

  private final RedisLink redis;
  private final FilterStore filters;

  Catalogue(RedisLink redis, FilterStore filters) {
    this.redis = redis;
    this.filters = filters;
  }

  /** Enters a name; nothing happens if it is there. */
  public void add(FilterName name) {
    var request = Request.cmd(Command.ZADD).arg(Keys.CATALOGUE).arg(0).arg(name.value());
    await(redis.send(request, Effect.WRITE));
  }

  /**
   * Removes a name unless there is a filter of that name. If one has appeared meanwhile, the name
   * is entered again: its maker may have done so before it was removed.
   */
  public void remove(FilterName name) {
    if (await(filters.exists(name))) {
      return;
    }
    var request = Request.cmd(Command.ZREM).arg(Keys.CATALOGUE).arg(name.value());
    await(redis.send(request, Effect.WRITE));
    if (await(filters.exists(name))) {
      add(name);
    }
  }

  /**
   * The next names in order.
   *
   * @param prefix what they begin with, may be empty
   * @param after only names greater than this one
   * @param limit the most names to return
   */
  public List<FilterName> page(String prefix, Optional<FilterName> after, int limit) {
    var first =
        after
            .filter(name -> name.value().compareTo(prefix) >= 0)
            .map(name -> "(" + name)
            .orElse(first(prefix));
    var request =
        Request.cmd(Command.ZRANGE)
            .arg(Keys.CATALOGUE)
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

  /**
   * Likewise of names that begin with one of some prefixes.
   *
   * @param prefixes in order, and none begins with another: so the names of each follow those of
   *     the one before
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

  /** How many names begin with a prefix; those that expired count until somebody notices. */
  public long count(String prefix) {
    var request =
        Request.cmd(Command.ZLEXCOUNT).arg(Keys.CATALOGUE).arg(first(prefix)).arg(behind(prefix));
    return await(redis.send(request, Effect.READ)).toLong();
  }

  private static String first(String prefix) {
    return "[" + prefix;
  }

  /** The end of a range. Names are ASCII: 0xff sorts behind all that begin with the prefix. */
  static byte[] behind(String prefix) {
    var end = new byte[prefix.length() + 2];
    end[0] = '(';
    for (var i = 0; i < prefix.length(); i++) {
      end[i + 1] = (byte) prefix.charAt(i);
    }
    end[prefix.length() + 1] = (byte) 0xff;
    return end;
  }
}
