package io.github.bloomgate.hash;

import java.util.Optional;

/** The scheme {@code rueidisprob}: the bits of the Bloom filter of rueidis, a Go client. */
final class Rueidis extends LibraryScheme {

  Rueidis() {
    super("rueidisprob", REDIS_LIMIT);
  }

  /**
   * {@inheritDoc}
   *
   * <p>{@code m = ceil(-n ln p / (ln 2)^2)}, {@code k = round(m/n ln 2)}.
   */
  @Override
  public FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability) {
    long bits = Sizing.bitSize(expectedInsertions, falsePositiveProbability);
    return shapeOf(bits, (int) Math.round((double) bits / expectedInsertions * StrictMath.log(2)));
  }

  /** The library's name in braces is the key, and the braces are a hash tag. */
  @Override
  public Optional<String> keyProblem(String redisKey) {
    boolean isTagged =
        redisKey.startsWith("{") && redisKey.endsWith("}") && redisKey.indexOf('}') > 1;
    return isTagged
        ? Optional.empty()
        : Optional.of(
            "rueidisprob keeps a filter under its name in braces: for a filter NAME send the"
                + " redisKey {NAME}.");
  }

  @Override
  public Optional<String> counterKey(String redisKey) {
    return Optional.of(redisKey + ":c");
  }

  /** The next bitmap, which always exists; the key with the time of the last change expires. */
  @Override
  public Optional<String> slidingKey(String redisKey) {
    return Optional.of(redisKey + ":n");
  }

  @Override
  double expectedRate(long insertions, FilterShape shape) {
    return RateWarning.ideal(insertions, shape)
        + RateWarning.ofLongProgressions(5, insertions, shape);
  }

  @Override
  String weakness(FilterShape shape) {
    return RateWarning.doubleHashing("rueidisprob");
  }
}
