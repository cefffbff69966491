package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A naive service's script: one call for each batch, which reads the bits of each element one by
 * one and stops at the first unset bit. Half of the bits are set, as in a full filter, and half of
 * the elements are known.
 */
final class PlainLuaLoop implements AutoCloseable {

  private static final String SCRIPT =
      """
      local k = tonumber(ARGV[1])
      local flags = {}
      for first = 2, #ARGV, k do
        local flag = '1'
        for i = first, first + k - 1 do
          if redis.call('GETBIT', KEYS[1], ARGV[i]) == 0 then
            flag = '0'
            break
          end
        end
        flags[#flags + 1] = flag
      end
      return table.concat(flags)
      """;

  private static final String KEY = "plain-lua-loop";
  private static final int HASH_FUNCTIONS = 7;
  private static final int BITS = 9_585_088;
  private static final int POOL = 64;

  private final RedisConnection redis;
  private final List<byte[]> calls = new ArrayList<>();

  PlainLuaLoop(int redisPort) {
    redis = new RedisConnection(redisPort);
    var random = new SplittableRandom(7);
    var bitmap = new byte[BITS / 8];
    random.nextBytes(bitmap);
    redis.send(
        RedisConnection.command(List.of("SET".getBytes(US_ASCII), KEY.getBytes(US_ASCII), bitmap)));
    var sha = redis.call("SCRIPT", "LOAD", SCRIPT);
    for (var i = 0; i < POOL; i++) {
      calls.add(call(sha, bitmap, random));
    }
  }

  private static byte[] call(String sha, byte[] bitmap, SplittableRandom random) {
    var arguments = new ArrayList<byte[]>();
    for (var word : List.of("EVALSHA", sha, "1", KEY, Integer.toString(HASH_FUNCTIONS))) {
      arguments.add(word.getBytes(US_ASCII));
    }
    for (var element = 0; element < Elements.BATCH; element++) {
      for (var i = 0; i < HASH_FUNCTIONS; i++) {
        var offset = random.nextInt(BITS);
        while (element % 2 == 0 && !isSet(bitmap, offset)) {
          offset = random.nextInt(BITS);
        }
        arguments.add(Integer.toString(offset).getBytes(US_ASCII));
      }
    }
    return RedisConnection.command(arguments);
  }

  private static boolean isSet(byte[] bitmap, int offset) {
    return (bitmap[offset / 8] >> (7 - offset % 8) & 1) == 1;
  }

  /** Tests one batch. */
  void run(long serial) {
    redis.send(calls.get((int) (serial % calls.size())));
  }

  /** The connection, for reading the cost of the calls. */
  RedisConnection redis() {
    return redis;
  }

  @Override
  public void close() {
    redis.close();
  }
}
