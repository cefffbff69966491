package io.github.bloomgate.support;

import static io.github.bloomgate.support.TestInstance.shape;
import static io.github.bloomgate.support.TestInstance.sized;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Filters of every kind, with hardly a false positive for up to 20,000 elements. */
public enum AnyKind {
  ONE_SEGMENT,
  SEVERAL_SEGMENTS,
  REJECTING,
  GROWING,
  COUNTING,
  BY_TIME,
  BY_INSERTIONS,
  ADOPTED;

  private static final HashScheme REDISSON = HashSchemes.named("redisson").orElseThrow();
  private static final List<AnyKind> PLAIN =
      List.of(ONE_SEGMENT, SEVERAL_SEGMENTS, REJECTING, GROWING);
  private static final double NEVER = 1e-9;
  private static final int MOST = 20_000;

  public FilterParameters parameters() {
    return switch (this) {
      case ONE_SEGMENT -> shape(1_500_000, 20);
      case SEVERAL_SEGMENTS -> TestInstance.SEVERAL;
      case REJECTING -> sized(MOST, NEVER, WhenFull.REJECT);
      case GROWING ->
          new Growth(2, Growth.MAX_SIZE_BYTES).parameters(HashSchemes.nativeScheme(), 100, NEVER);
      case COUNTING -> TestInstance.counting(MOST);
      case BY_TIME -> TestWindows.sized(MOST, TestWindows.years(4, true));
      case BY_INSERTIONS -> TestWindows.sized(MOST, Window.ofInsertions(MOST, 4, true));
      case ADOPTED -> FilterParameters.forShape(REDISSON, 1_500_001, 20, WhenFull.ACCEPT);
    };
  }

  /** Parameters for a rebuild of the filter, often of another kind. */
  public FilterParameters next(Random random) {
    return switch (this) {
      case COUNTING -> TestInstance.counting(MOST + random.nextInt(MOST));
      case BY_TIME, BY_INSERTIONS -> (random.nextBoolean() ? BY_TIME : BY_INSERTIONS).parameters();
      case ADOPTED -> parameters();
      default -> PLAIN.get(random.nextInt(PLAIN.size())).parameters();
    };
  }

  public boolean isMerged() {
    return this != COUNTING && this != BY_INSERTIONS;
  }

  public FilterName create(TestInstance instance) {
    return create(instance, Optional.empty());
  }

  public FilterName create(TestInstance instance, Optional<Instant> expiry) {
    var name = TestInstance.name();
    create(instance, name, expiry);
    return name;
  }

  public void create(TestInstance instance, FilterName name, Optional<Instant> expiry) {
    if (this == ADOPTED) {
      var key = "library's " + TestInstance.name();
      instance.adoptions.adopt(name, key, REDISSON, Optional.of(parameters()), expiry, Quota.NONE);
    } else {
      instance.create(name, parameters(), expiry);
    }
  }
}
