package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentField;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Several instances append to one segment, follow it, and fold or patch it. Meanwhile replies are
 * lost, commands run late, folds are slow, other content is joined in, the filter is cleared, and
 * failovers lose the last changes. After each step, each copy and the segment must match a list of
 * all changes.
 */
@Tag("slow")
class SegmentModelTest extends ScriptsOfFilters {

  private static final int STEPS = 3_000;
  private static final int INSTANCES = 3;
  private static final int MOST_LATE = 5;

  private final long seed = Long.getLong("test.model-seed", Double.doubleToLongBits(Math.random()));
  private final Random dice = new Random(seed);
  private final FilterName name = name();

  /** The expected content of the segment: from before the kept blocks, and from these blocks. */
  private ReplayedContent before = ReplayedContent.EMPTY;

  private final List<Block> blocks = new ArrayList<>();
  private int folds;
  private int joins;
  private int repeats;

  private record Block(long end, byte[] mark) {}

  /**
   * A fold or a patch that an instance prepares now and runs later.
   *
   * @param position up to which the instance knows the segment
   * @param base the new base, if other content is joined in
   * @param joined this content; null for none
   */
  private record Late(
      Supplier<Uni<FoldReply>> fold, long position, long base, ReplayedContent joined) {}

  private record Saved(
      ContentId content, byte[] bytes, ReplayedContent before, List<Block> blocks) {}

  private Saved saved;
  private final List<Late> lateFolds = new ArrayList<>();
  private final List<SegmentGroup> lateCommands = new ArrayList<>();

  private ReplayedContent truth() {
    return contentAt(Long.MAX_VALUE);
  }

  private ReplayedContent contentAt(long position) {
    var content = before;
    for (var block : blocks) {
      content = block.end <= position ? content.with(block.mark) : content;
    }
    return content;
  }

  @Test
  void copiesAndTheSegmentMatchTheAppendedBlocks() {
    created(name);
    var instances = Stream.generate(Instance::new).limit(INSTANCES).toList();
    for (var step = 0; step < STEPS; step++) {
      var one = instances.get(dice.nextInt(INSTANCES));
      switch (dice.nextInt(13)) {
        case 0, 1, 2, 3 -> one.append();
        case 4, 5 -> one.ask();
        case 6 -> one.read();
        case 7 -> one.prepare(false, false);
        case 8 -> one.prepare(true, false);
        case 9 -> one.prepare(false, true);
        case 10, 11 -> runLateFold();
        default -> runLateCommand();
      }
      switch (dice.nextInt(300)) {
        case 0 -> clear();
        case 1, 2, 3 -> save();
        case 4, 5, 6 -> restore();
        default -> {}
      }
      assertEquals(truth(), ReplayedContent.of(text()), at(step));
    }
    assertTrue(folds > 20 && joins > 3 && repeats > 3, folds + " " + joins + " " + repeats);
  }

  private String at(int step) {
    return "at step " + step + " of -Dtest.model-seed=" + seed;
  }

  private SegmentText text() {
    var bytes = TestLink.await(segments.read(live(name).content(), 0));
    return new SegmentText(bytes.orElse(NOTHING), FORMAT);
  }

  private void clear() {
    var dropped = dropped(stores.clear(name, Written.NONE));
    dropped.ifPresent(content -> filters.drop(Optional.of(name), content, 0));
    before = ReplayedContent.EMPTY;
    blocks.clear();
  }

  private void save() {
    saved = new Saved(live(name).content(), text().bytes(), before, new ArrayList<>(blocks));
  }

  /** A replica without the last changes takes over, and a new history begins. */
  private void restore() {
    if (saved == null || saved.bytes.length == 0 || !saved.content.equals(live(name).content())) {
      return;
    }
    var key = live(name).segmentKey(0);
    TestLink.await(
        link.link().send(Request.cmd(Command.SET).arg(key).arg(saved.bytes), Effect.WRITE));
    before = saved.before;
    blocks.clear();
    blocks.addAll(saved.blocks);
    // Commands that run now may be the first to append their blocks.
    lateCommands.clear();
  }

  /** A fold that another instance may have overtaken. */
  private void runLateFold() {
    if (lateFolds.isEmpty()) {
      return;
    }
    if (lateFolds.size() > MOST_LATE) {
      lateFolds.remove(0);
    }
    var late =
        lateFolds.remove(
            dice.nextBoolean() ? lateFolds.size() - 1 : dice.nextInt(lateFolds.size()));
    if (TestLink.await(late.fold.get()) != FoldReply.DONE) {
      return;
    }
    folds++;
    if (late.joined == null) {
      return;
    }
    joins++;
    // Later blocks stay, at positions after the other content.
    var kept = blocks.stream().filter(block -> block.end > late.position).toList();
    before = late.joined;
    blocks.clear();
    kept.forEach(block -> blocks.add(new Block(late.base + block.end - late.position, block.mark)));
  }

  /** A command that Redis had read when its connection broke. Its repetition has run before. */
  private void runLateCommand() {
    if (!lateCommands.isEmpty()) {
      var group = lateCommands.remove(dice.nextInt(lateCommands.size()));
      var reply = groups(group).get(0);
      if (reply.isPresent()) {
        var one = reply.get().get(0);
        assertTrue(
            one instanceof SegmentReply.Repeated || one instanceof SegmentReply.Reread,
            "a block was appended twice: " + one);
        repeats += one instanceof SegmentReply.Repeated ? 1 : 0;
      }
    }
  }

  /** One instance with its copy of the segment. */
  private final class Instance {

    private StoredGeneration generation = live(name);
    private Known known = Known.NOTHING_YET;
    private long folded;
    private ReplayedContent foldedContent = ReplayedContent.EMPTY;
    private ReplayedContent content = ReplayedContent.EMPTY;

    private void read() {
      generation = live(name);
      var text = text();
      content = ReplayedContent.of(text);
      foldedContent = ReplayedContent.ofBitmap(text);
      assertEquals(truth(), content, "the content that was read");
      known = text.bytes().length == 0 ? Known.NOTHING_YET : text.known();
      folded = text.bytes().length == 0 ? 0 : text.number(SegmentText.FOLDED);
    }

    private void ask() {
      take(send(NOTHING), null);
    }

    private void append() {
      var block = block(ReplayedContent.ENTRY_BYTES);
      var group = group(generation, ScriptsOfFilters.append(0, known, block));
      var reply = send(block);
      var isIn = reply instanceof SegmentReply.Followed;
      if (isIn) {
        blocks.add(new Block(textTip(), Arrays.copyOf(block, 8)));
        lateCommands.add(group);
      }
      if (isIn && dice.nextInt(3) == 0) {
        // The reply was lost, and other commands may run before the call is sent again.
        lateCommands.remove(group);
        if (dice.nextBoolean()) {
          other();
        }
        var again = groups(group).get(0);
        reply = again.orElseThrow().get(0);
        assertTrue(
            reply instanceof SegmentReply.Repeated || reply instanceof SegmentReply.Reread,
            "a block was appended twice: " + reply);
      }
      take(reply, block);
    }

    private void other() {
      var other = new Instance();
      other.read();
      other.append();
    }

    private long textTip() {
      return text().known().position();
    }

    private SegmentReply send(byte[] block) {
      var reply = groups(group(generation, ScriptsOfFilters.append(0, known, block))).get(0);
      if (reply.isEmpty()) {
        read();
        return new SegmentReply.Reread();
      }
      return reply.get().get(0);
    }

    /** Applies a reply to the copy, as a round does. */
    private void take(SegmentReply reply, byte[] block) {
      if (reply instanceof SegmentReply.Followed followed) {
        follow(followed.blocks(), block);
      } else if (reply instanceof SegmentReply.Repeated repeated) {
        follow(repeated.blocks(), null);
      } else if (reply instanceof SegmentReply.TooLong tooLong) {
        follow(tooLong.blocks(), null);
        prepare(false, false);
        runLateFold();
        read();
      } else {
        assertEquals(new SegmentReply.Reread(), reply);
        read();
      }
      assertEquals(truth(), content, "the copy, seed " + seed);
    }

    private void follow(byte[] others, byte[] block) {
      content = content.replayed(others);
      if (others.length > 0) {
        var tail = Arrays.copyOfRange(others, others.length - 8, others.length);
        known = new Known(known.position() + others.length, tail);
      }
      if (block != null) {
        content = content.with(Arrays.copyOf(block, 8));
        known = known.with(block);
      }
    }

    private KnownSegment known() {
      return new KnownSegment(generation, 0, FORMAT, known.position(), known.mark(), folded);
    }

    /** Prepares a fold of the copy's current content. */
    private void prepare(boolean inPlace, boolean joins) {
      var one = known();
      var position = known.position();
      if (joins) {
        var base = position + (1L << 30);
        var joined = content.joined(dice.nextLong());
        var bytes = joined.folded(base, mark());
        var later = dice.nextBoolean() ? Optional.of(mark()) : Optional.<byte[]>empty();
        lateFolds.add(new Late(() -> segments.fold(one, bytes, later), position, base, joined));
      } else if (position > 0 && inPlace) {
        // Only the changes since the last fold, as in a bitmap of millions of bits.
        var fields = content.changedBytes(foldedContent);
        fields.add(new SegmentField(8L * (16 + SegmentText.FOLDED), 64, position));
        lateFolds.add(new Late(() -> segments.patch(one, fields), position, 0, null));
      } else if (position > 0) {
        var bytes = content.folded(position, known.mark());
        lateFolds.add(
            new Late(() -> segments.fold(one, bytes, Optional.empty()), position, 0, null));
      }
    }
  }
}
