package io.github.bloomgate.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Funnel;
import com.google.common.hash.Hashing;
import io.github.bloomgate.redis.embedded.RedisSocket;
import io.github.bloomgate.support.RawRedis;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A client that copied the class {@code BloomFilterHelper}, as many applications did. It computes
 * positions by the definition in the golden file with Guava's hash, and sends one SETBIT or GETBIT
 * for each.
 */
final class CopiedClass implements AutoCloseable {

  private final RedisSocket redis;
  private final String key;
  private final Funnel<CharSequence> funnel;
  private final int bits;
  private final int numHashFunctions;

  /**
   * @param twice whether the funnel writes the string twice
   */
  CopiedClass(RawRedis redis, String key, boolean twice, int n, double p) throws IOException {
    this.redis = new RedisSocket(redis.port(), redis.password());
    this.key = key;
    this.funnel =
        (text, sink) -> {
          sink.putString(text, UTF_8);
          if (twice) {
            sink.putString(text, UTF_8);
          }
        };
    this.bits = (int) (-n * Math.log(p) / (Math.log(2) * Math.log(2)));
    this.numHashFunctions = Math.max(1, (int) Math.round((double) bits / n * Math.log(2)));
  }

  int bits() {
    return bits;
  }

  int numHashFunctions() {
    return numHashFunctions;
  }

  void add(String element) {
    for (long offset : offsets(element)) {
      call("SETBIT " + key + " " + offset + " 1");
    }
  }

  boolean mightContain(String element) {
    return Arrays.stream(offsets(element))
        .allMatch(offset -> call("GETBIT " + key + " " + offset).equals("1"));
  }

  List<Boolean> mightContain(List<String> elements) {
    return elements.stream().map(this::mightContain).toList();
  }

  private long[] offsets(String element) {
    long hash = Hashing.murmur3_128().hashObject(element, funnel).asLong();
    int sum = (int) hash;
    var offsets = new long[numHashFunctions];
    for (int i = 0; i < numHashFunctions; i++) {
      sum += (int) (hash >>> 32);
      offsets[i] = (sum < 0 ? ~sum : sum) % bits;
    }
    return offsets;
  }

  private String call(String command) {
    try {
      return redis.call(command);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    redis.close();
  }
}
