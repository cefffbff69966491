package io.github.bloomgate.store;

import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.model.BitmapVersion;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;

/**
 * The segments of filters. Every method is one script on one segment, and so atomic for every
 * element in it.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, FILTER_DAMAGED, WRONG_KEY_TYPE, KEY_MISMATCH. Those that read or add elements fail
 * with {@link StaleFilterException} if the segment is missing or holds another generation than the
 * filter.
 */
@ApplicationScoped
public class SegmentStore {

  /**
   * The most bit operations of one script call. Redis needs about 0.4 microseconds for each, so one
   * call occupies it for about half a millisecond: long enough to make the call itself cheap, short
   * enough for others to get their turn, on slower machines too.
   */
  public static final int MAX_BITS_PER_CALL = 1024;

  /**
   * The most bytes of one read: a whole native segment. Redis needs about 0.2 ms to hand it over to
   * its output buffer, and sends it in portions, between which others get their turn.
   */
  public static final int MAX_READ_BYTES = 1 << 21;

  /** The most bytes of one union, which occupy Redis for about 0.2 ms. */
  public static final int MAX_UNION_BYTES = 1 << 18;

  private static final long MAX_COUNT_BYTES = 1 << 24;

  private final FilterScripts scripts;
  private final JournalStore journals;
  private final Marks marks = new Marks();

  SegmentStore(FilterScripts scripts, JournalStore journals) {
    this.scripts = scripts;
    this.journals = journals;
  }

  /**
   * Reads bytes of a segment, together with what it counts at the same moment.
   *
   * @param offset index of the first byte
   * @param length the most bytes to read, from 1 to {@link #MAX_READ_BYTES}; there are fewer at the
   *     end of the bitmap
   */
  public Uni<SegmentBytes> read(Filter filter, int segment, long offset, int length) {
    checkRange(offset, length, MAX_READ_BYTES);
    return scripts
        .run(
            Script.READ,
            Keys.ofSegment(filter, segment),
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg(offset)
                    .arg(length)
                    .arg(filter.shapeOf(segment).numHashFunctions()))
        .map(
            reply -> {
              expectOk(reply, filter, segment);
              var left = Math.max(0, filter.shapeOf(segment).segmentBytes() - offset);
              var expected = (int) Math.min(length, left);
              var bytes = reply.bytes(1);
              if (bytes.length > expected || (bytes.length < expected && !filter.isAdopted())) {
                // It is not as long as the filter was when it was created.
                throw FilterErrors.damaged(filter.name(), bitsKey(filter, segment));
              }
              return new SegmentBytes(
                  filter.isAdopted()
                      ? SegmentBytes.inFull(bytes, expected, filter.shape(), offset)
                      : bytes,
                  new SegmentCounts(reply.number(2), reply.number(3)),
                  new BitmapVersion(reply.text(4)));
            });
  }

  /**
   * Sets every bit of a segment that is set in the given bytes, and keeps all others. The counts
   * follow exactly; a limit of insertions is not looked at.
   *
   * @param offset index of the first byte
   * @param bytes from 1 to {@link #MAX_UNION_BYTES} bytes, which must end within the bitmap
   * @param insertions what the segment's insertions grow by
   * @return how many bits were not set before
   */
  public Uni<Long> union(Filter filter, int segment, long offset, byte[] bytes, long insertions) {
    checkRange(offset, bytes.length, MAX_UNION_BYTES);
    var mark = marks.next();
    return unionOnce(filter, segment, offset, bytes, insertions, mark)
        .onFailure(JournaledException.class)
        .recoverWithUni(
            () ->
                journals
                    .replay(filter, segment, true)
                    .chain(() -> union(filter, segment, offset, bytes, insertions)));
  }

  private Uni<Long> unionOnce(
      Filter filter, int segment, long offset, byte[] bytes, long insertions, String mark) {
    return scripts
        .run(
            Script.UNION,
            Keys.withScratch(filter, segment),
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg(offset)
                    .arg(bytes)
                    .arg(insertions)
                    .arg(mark)
                    .arg(filter.shapeOf(segment).numHashFunctions()))
        .map(
            reply -> {
              if (reply.status().equals("BEYOND")) {
                throw new IllegalArgumentException(
                    "%d bytes at %d end behind the segment".formatted(bytes.length, offset));
              }
              expectOk(reply, filter, segment);
              return reply.number(1);
            });
  }

  private static void checkRange(long offset, int length, int max) {
    if (offset < 0 || length < 1 || length > max) {
      throw new IllegalArgumentException(
          "%d bytes at %d: 1 to %d are allowed".formatted(length, offset, max));
    }
  }

  /**
   * Has all in a segment's bitmap that was journaled before this; an adopted one has no journal.
   */
  public Uni<Void> bringHome(Filter filter, int segment) {
    return bringHome(filter, segment, false);
  }

  /** Likewise, and drops the journal if nothing comes meanwhile. */
  public Uni<Void> bringHome(Filter filter, int segment, boolean drop) {
    return filter.isAdopted()
        ? Uni.createFrom().voidItem()
        : journals.replay(filter, segment, drop);
  }

  /** Reads what a segment counts; the bits of an adopted one are counted for it. */
  public Uni<SegmentCounts> count(Filter filter, int segment) {
    if (filter.isAdopted()) {
      return countBits(filter, 0, 0);
    }
    return fields(filter, segment)
        .chain(
            fields ->
                FilterState.isFolded(fields)
                    ? Uni.createFrom().item(FilterState.requireCounts(fields, filter, segment))
                    : countJournaled(filter, segment));
  }

  /**
   * Likewise of a segment of which some is only journaled. It is of a moment since this was asked,
   * whatever comes on.
   */
  public Uni<SegmentCounts> countJournaled(Filter filter, int segment) {
    return journals.count(filter, segment);
  }

  /** Reads what a segment counted when its bitmap was last written. */
  public Uni<SegmentCounts> lastCount(Filter filter, int segment) {
    return fields(filter, segment)
        .map(fields -> FilterState.requireCounts(fields, filter, segment));
  }

  private Uni<Map<String, String>> fields(Filter filter, int segment) {
    return scripts
        .run(
            Script.DESCRIBE,
            Keys.ofSegment(filter, segment),
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg(filter.shapeOf(segment).numHashFunctions()))
        .map(
            reply -> {
              expectOk(reply, filter, segment);
              return reply.fields(1);
            });
  }

  /** In parts, as Redis needs about a millisecond for 16 MiB. */
  private Uni<SegmentCounts> countBits(Filter filter, long first, long counted) {
    var end = Math.min(filter.shape().segmentBytes(), first + MAX_COUNT_BYTES);
    return scripts
        .run(
            Script.COUNT,
            Keys.ofSegment(filter, 0),
            request -> request.arg(filter.generation().toString()).arg(first).arg(end - 1))
        .chain(
            reply -> {
              expectOk(reply, filter, 0);
              var bitsSet = counted + reply.number(1);
              return end == filter.shape().segmentBytes()
                  ? Uni.createFrom().item(new SegmentCounts(bitsSet, reply.number(2)))
                  : countBits(filter, end, bitsSet);
            });
  }

  /**
   * Whether a segment is there in full, in use or waiting to be activated. It tells how far a
   * filter that is being created has come; whether one that is ready is whole, {@link #count}
   * tells.
   */
  public Uni<Boolean> isMade(Filter filter, int segment) {
    return scripts
        .run(Script.DESCRIBE, Keys.ofSegment(filter, segment), request -> request.arg(""))
        .map(
            reply ->
                switch (reply.status()) {
                  case "OK" -> true;
                  case "GONE", "DAMAGED" -> false;
                  default -> throw refusal(reply, filter, segment);
                });
  }

  /** The key that is reported when a segment is missing as a whole. */
  public static String stateKey(Filter filter, int segment) {
    return Keys.ofSegment(filter, segment).get(0);
  }

  /** The key of a segment's bitmap. */
  public static String bitsKey(Filter filter, int segment) {
    return Keys.ofSegment(filter, segment).get(1);
  }

  static void expectOk(ScriptReply reply, Filter filter, int segment) {
    if (!reply.status().equals("OK")) {
      throw refusal(reply, filter, segment);
    }
  }

  static RuntimeException refusal(ScriptReply reply, Filter filter, int segment) {
    return Refusals.of(reply, filter.name(), Keys.ofSegment(filter, segment));
  }
}
