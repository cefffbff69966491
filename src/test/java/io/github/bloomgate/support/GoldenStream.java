package io.github.bloomgate.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * The streams in {@code src/test/resources/follow}, which never change. Each says which elements a
 * follower has to find at its end, and which not.
 */
public enum GoldenStream {
  /** A plane in three pieces. */
  FILL("ann,ben", "eve,zoe") {
    @Override
    FollowStream stream() {
      var large = FollowedFilter.fixed("0f00000000000001", 1, 320_000).add(0, "ann", "ben");
      return new FollowStream()
          .plan(large.plan())
          .fill(large, 0, 0, mark(1), 16_384)
          .at(3, 0, resume(1));
    }
  },
  /** Bytes that change, an unknown type of frame, and a patch without a change. */
  PATCH("ann,ben,cid", "eve,zoe") {
    @Override
    FollowStream stream() {
      var filter = FollowedFilter.fixed("0f00000000000002", 3, FollowedFilter.SMALL).add(0, "ann");
      var stream = new FollowStream().plan(filter.plan());
      everySegment(3, segment -> stream.fill(filter, segment, 0, mark(segment), 4096));
      stream.at(0, 0, resume(1)).frame(99, new byte[] {1, 2, 3});
      filter.add(0, "ben", "cid");
      everySegment(3, segment -> stream.patch(filter, segment, 0, mark(8 + segment)));
      stream.at(1, 0, resume(2));
      return stream.patch(filter, 1, 0, mark(20)).at(2, 0, resume(3));
    }
  },
  /** A second layer, under the same incarnation. */
  GROWN("ann,ben,cid,dan", "eve,zoe") {
    @Override
    FollowStream stream() {
      var filter = FollowedFilter.growing("0f00000000000003").add(0, "ann", "ben");
      var stream = new FollowStream().plan(filter.plan());
      stream.fill(filter, 0, 0, mark(1), 4096).at(0, 0, resume(1));
      filter.grow(2, 2 * FollowedFilter.SMALL).add(0, "cid", "dan");
      stream.plan(filter.plan());
      return stream.patch(filter, 1, 0, mark(2)).patch(filter, 2, 0, mark(3)).at(0, 0, resume(2));
    }
  },
  /** Counters that reach 0. */
  COUNTING("ben,cid", "ann,eve") {
    @Override
    FollowStream stream() {
      var filter = FollowedFilter.counting("0f00000000000004").add(0, "ann", "ben");
      var stream = new FollowStream().plan(filter.plan());
      everySegment(2, segment -> stream.fill(filter, segment, 0, mark(segment), 4096));
      stream.at(0, 0, resume(1));
      everySegment(2, segment -> filter.empty(segment, 0));
      filter.add(0, "ben", "cid");
      everySegment(2, segment -> stream.patch(filter, segment, 0, mark(8 + segment)));
      return stream.at(0, 0, resume(2));
    }
  },
  /** Rings that fill, and one that ends. An element must have all its bits in one ring. */
  WINDOW("ben,cid", "ann,eve") {
    @Override
    FollowStream stream() {
      var filter = FollowedFilter.window("0f00000000000005").add(0, "ann").add(17, "ben");
      var stream = new FollowStream().plan(filter.plan());
      stream.fill(filter, 0, 0, mark(1), 4096).fill(filter, 0, 17, mark(1), 64);
      stream.at(0, 0, resume(1));
      filter.add(3, "cid");
      stream.empty(filter, 0, 0, mark(2)).patch(filter, 0, 3, mark(2));
      return stream.at(0, 0, resume(2));
    }
  },
  /** The secret is {@link FollowedFilter#SECRET}. */
  KEYED("ann,an element of more than thirty-two bytes", "eve,zoe") {
    @Override
    FollowStream stream() {
      var longer = "an element of more than thirty-two bytes";
      var filter = FollowedFilter.keyed("0f00000000000006").add(0, "ann", "ben", longer);
      return new FollowStream()
          .plan(filter.plan())
          .fill(filter, 0, 0, mark(1), 4096)
          .at(0, 0, resume(1));
    }
  },
  /** Other content, then the end. */
  REBUILT("cid", "ann,ben") {
    @Override
    FollowStream stream() {
      var old = FollowedFilter.fixed("0f00000000000007", 1, FollowedFilter.SMALL).add(0, "ann");
      var stream = new FollowStream().plan(old.plan());
      stream.fill(old, 0, 0, mark(1), 4096).at(0, 0, resume(1));
      var rebuilt = FollowedFilter.fixed("0f00000000000008", 2, FollowedFilter.SMALL).add(0, "cid");
      stream.plan(rebuilt.plan());
      everySegment(2, segment -> stream.fill(rebuilt, segment, 0, mark(8 + segment), 4096));
      return stream.at(0, 0, resume(2)).end(600);
    }
  };

  private static final Path FOLDER = Path.of("src/test/resources/follow");

  /** Elements, separated by commas. */
  private final String present;

  private final String absent;

  GoldenStream(String present, String absent) {
    this.present = present;
    this.absent = absent;
  }

  /** The elements that a follower must find. */
  public List<String> present() {
    return List.of(present.split(",", -1));
  }

  /** Elements that it must not find: removed ones, and some that were never added. */
  public List<String> absent() {
    return List.of(absent.split(",", -1));
  }

  abstract FollowStream stream();

  /** The stream as this code writes it. */
  public byte[] written() {
    return stream().bytes();
  }

  /** The frozen file. */
  public Path file() {
    return FOLDER.resolve(name().toLowerCase(Locale.ROOT) + ".follow");
  }

  /** The bytes of the frozen file. */
  public byte[] bytes() {
    try {
      return Files.readAllBytes(file());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static long mark(int number) {
    return 0x5f3e9a1c00000000L + number;
  }

  public static String resume(int number) {
    return "3b1f0000000000a1%016x".formatted(number);
  }

  private static void everySegment(int segments, IntConsumer action) {
    for (var segment = 0; segment < segments; segment++) {
      action.accept(segment);
    }
  }
}
