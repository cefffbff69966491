package io.github.bloomgate.redis;

import io.vertx.redis.client.Request;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The arguments of a script, in order. Not thread-safe while it is filled. */
public final class Arguments {

  private final List<byte[]> all = new ArrayList<>();

  /** Adds bytes, which must not change afterwards. */
  public Arguments add(byte[] bytes) {
    all.add(bytes);
    return this;
  }

  /** Adds a text in UTF-8. */
  public Arguments add(String text) {
    return add(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a number as decimal text. */
  public Arguments add(long number) {
    return add(Long.toString(number));
  }

  /** Adds 1 for true, an empty text for false. */
  public Arguments add(boolean flag) {
    return add(flag ? "1" : "");
  }

  /** Adds a time in milliseconds since 1970, an empty text for none. */
  public Arguments add(Optional<Instant> time) {
    return add(time.map(Instant::toEpochMilli).map(String::valueOf).orElse(""));
  }

  void putInto(Request request) {
    all.forEach(request::arg);
  }
}
