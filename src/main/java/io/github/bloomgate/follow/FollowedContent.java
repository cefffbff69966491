package io.github.bloomgate.follow;

import io.github.bloomgate.elements.AsOf;
import io.github.bloomgate.elements.Rounds;
import io.github.bloomgate.elements.Watched;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.follow.FrameWriter.Plane;
import io.github.bloomgate.model.PlanJson;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.segment.PlaneChanges;
import io.github.bloomgate.segment.SegmentCopy;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The content of a filter between two rebuilds or clears, as its followers see it: what changes in
 * the copies of its segments becomes frames. Used only on the thread of the rounds.
 */
final class FollowedContent {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final long id = RANDOM.nextLong();
  private final Rounds rounds;
  private final Watched watched;
  private final FrameLog log = new FrameLog();

  /** The bytes of frames to keep. */
  private long mostKept;

  private Generation generation;
  private String plan;

  /** The segments of the layers at the beginning. */
  private final int firstSegments;

  /** Of each segment; null while it had no copy. */
  private PlaneChanges[] changes = {};

  /** Of each segment, as of its last frame. */
  private byte[][] marks = {};

  /** The number of the last frame of each segment. */
  private long[] changedAt = {};

  private Optional<Complete> complete = Optional.empty();

  /**
   * A point at which followers have everything as of some moment.
   *
   * @param place the number of the last frame before
   */
  record Complete(AsOf asOf, long place) {}

  /** The JSON of a plan, with the fields that docs/follow.md defines. */
  private record Plan(
      String name, long generation, String incarnation, int planes, PlanJson plan) {}

  FollowedContent(Rounds rounds, Watched watched) {
    this.rounds = rounds;
    this.watched = watched;
    continueWith(watched.filter().live());
    this.firstSegments = generation.segments();
  }

  /** Continues with a version that may have more layers. */
  private void continueWith(Generation version) {
    var isLarger = generation == null || version.segments() > generation.segments();
    generation = version;
    if (isLarger) {
      changes = Arrays.copyOf(changes, version.segments());
      marks = Arrays.copyOf(marks, version.segments());
      changedAt = Arrays.copyOf(changedAt, version.segments());
      plan = plan(version);
    }
  }

  private static String plan(Generation version) {
    return StoredJson.write(
        new Plan(
            version.name().value(),
            version.number(),
            version.incarnation(),
            version.layers().get(0).format().kind().copiesOfBits(),
            PlanJson.of(version.plan().openedAt(Optional.empty()))));
  }

  /** Whether the filter still has this content. */
  boolean isCurrent() {
    return watched.filter().live().content().equals(generation.content());
  }

  String incarnation() {
    return generation.incarnation();
  }

  String plan() {
    return plan;
  }

  int segments() {
    return generation.segments();
  }

  FrameLog log() {
    return log;
  }

  /** Where a follower that has received an entry can continue. */
  Resume resume(FrameLog.Entry place) {
    return new Resume(id, place.number());
  }

  /** The entry at which a stream can be continued, if it is still there. */
  Optional<FrameLog.Entry> find(Resume resume) {
    return resume.content() == id ? log.find(resume.place()) : Optional.empty();
  }

  /** The latest point at which followers have everything; empty before all copies were there. */
  Optional<Complete> complete() {
    return complete;
  }

  /** Whether a segment has changed after an entry. */
  boolean hasChanged(int segment, FrameLog.Entry since) {
    return changedAt[segment] > since.number();
  }

  /** Whether a follower has the content of a segment, by its mark. */
  boolean isKnown(Known known, int segment) {
    // When rings expire, a mark stays.
    return marks[segment] != null
        && known.has(segment, marks[segment])
        && generation.layer(segment).format().kind().copiesOfBits() == 1;
  }

  /**
   * Makes frames of all changes.
   *
   * @param most the bytes of frames to keep
   */
  void collect(long most) {
    mostKept = most;
    continueWith(watched.filter().live());
    var hasAll =
        IntStream.range(0, segments()).filter(segment -> collect(segment).isEmpty()).count() == 0;
    if (hasAll) {
      watched
          .asOf(generation.stored())
          .ifPresent(asOf -> complete = Optional.of(new Complete(asOf, log.last().number())));
    }
  }

  /** Makes frames of the changes of a segment; empty if it has no confirmed copy. */
  Optional<SegmentCopy> collect(int segment) {
    var current = rounds.copy(generation, segment);
    current.ifPresent(copy -> collect(segment, copy));
    log.complete();
    return current;
  }

  private void collect(int segment, SegmentCopy copy) {
    var known = changes[segment];
    if (!copy.isFollowedBy(known)) {
      changes[segment] = copy.follow();
      marks[segment] = copy.mark();
      if (known != null || segment >= firstSegments) {
        // The copy was read again, or its layer was added after followers had left that come back.
        // Before the first copy, all followers still wait for the segment.
        addWhole(segment);
      }
      return;
    }
    var before = marks[segment];
    marks[segment] = copy.mark();
    var made = log.last().number();
    copy.changes().forEach(change -> add(segment, copy, change));
    if (made == log.last().number() && !Arrays.equals(before, marks[segment])) {
      add(segment, FrameWriter.patch(plane(segment, 0), new int[0], new byte[0]));
    }
  }

  private void add(int segment, SegmentCopy copy, PlaneChanges.Change change) {
    if (change instanceof PlaneChanges.Change.Emptied emptied) {
      add(segment, FrameWriter.empty(plane(segment, emptied.plane())));
    } else if (change instanceof PlaneChanges.Change.Patched patched) {
      var bytes = patched.bytes();
      for (var from = 0; from < bytes.length; from += FrameWriter.MOST_ENTRIES) {
        var to = Math.min(bytes.length, from + FrameWriter.MOST_ENTRIES);
        patch(segment, copy, patched.plane(), Arrays.copyOfRange(bytes, from, to));
      }
    } else {
      addWhole(segment);
    }
  }

  private void patch(int segment, SegmentCopy copy, int plane, int[] offsets) {
    var values = new byte[offsets.length];
    for (var i = 0; i < offsets.length; i++) {
      copy.content().copyPlane(plane, offsets[i], values, i, 1);
    }
    add(segment, FrameWriter.patch(plane(segment, plane), offsets, values));
  }

  /** A plane with the current mark of its segment. */
  Plane plane(int segment, int plane) {
    return new Plane(segment, plane, marks[segment]);
  }

  private void add(int segment, byte[] frame) {
    log.add(segment, frame, mostKept);
    changedAt[segment] = log.last().number();
  }

  private void addWhole(int segment) {
    log.addWhole(segment, mostKept);
    changedAt[segment] = log.last().number();
  }

  /** No longer notes changes. */
  void leave() {
    for (var segment = 0; segment < changes.length; segment++) {
      rounds.unfollow(generation, segment, changes[segment]);
    }
  }
}
