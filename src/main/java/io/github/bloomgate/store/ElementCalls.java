package io.github.bloomgate.store;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the scripts that add, remove, test and count the elements of batches; several batches in one
 * call where that saves calls. Each batch is answered as if it had been sent alone, at one moment
 * between its sending and its answer.
 */
@Singleton
public class ElementCalls {

  private static final BitSet NONE = new BitSet(0);
  private static final byte[] NO_COUNTS = new byte[0];

  private final FilterScripts scripts;
  private final Marks marks = new Marks();
  private final boolean coalescing;
  private final Coalescer<Destination, SegmentBatch, Answer> coalescer;
  private final Counter sharedCalls;
  private final Counter sharingBatches;

  @Inject
  ElementCalls(FilterScripts scripts, BloomgateConfig config, MeterRegistry metrics) {
    this(scripts, config.speed().coalescing(), metrics);
  }

  ElementCalls(FilterScripts scripts, boolean coalescing, MeterRegistry metrics) {
    this.scripts = scripts;
    this.coalescing = coalescing;
    this.coalescer =
        new Coalescer<>(Destination::room, batch -> batch.elements().length, this::runShared);
    this.sharedCalls = sharedCalls(metrics);
    this.sharingBatches = sharingBatches(metrics);
  }

  /** Counts calls that several requests share. */
  public static Counter sharedCalls(MeterRegistry metrics) {
    return Counter.builder("bloom.coalesced.calls")
        .description("Number of script calls that carried batches of several requests.")
        .register(metrics);
  }

  /** Counts the batches in such calls. */
  public static Counter sharingBatches(MeterRegistry metrics) {
    return Counter.builder("bloom.coalesced.batches")
        .description("Number of batches of elements that shared a script call.")
        .register(metrics);
  }

  /**
   * Runs ADD, REMOVE, TEST or MULTIPLICITY for a batch. The answer is delivered as {@link
   * FilterScripts#run} says, and fails as that does.
   */
  Uni<Answer> run(Script script, Filter filter, SegmentBatch batch, Durability durability) {
    var destination =
        new Destination(
            script,
            Keys.ofSegment(filter, batch.segment()),
            filter.name(),
            filter.generation(),
            filter.shapeOf(batch.segment()).numHashFunctions(),
            SegmentBatch.mostElements(
                filter.parameters(), filter.shapeOf(batch.segment()).numHashFunctions()),
            filter.grows(),
            durability == Durability.REPLICATED);
    if (coalescing) {
      return coalescer.send(destination, batch);
    }
    var alone = List.of(batch);
    return Uni.createFrom()
        .deferred(
            () -> {
              var arguments = arguments(destination, alone);
              return destination.replicated()
                  ? scripts.runReplicated(script, destination.keys(), arguments)
                  : scripts.run(script, destination.keys(), arguments);
            })
        .map(reply -> split(destination, reply, alone).get(0));
  }

  private Uni<List<Answer>> runShared(Destination destination, List<SegmentBatch> batches) {
    if (batches.size() > 1) {
      sharedCalls.increment();
      sharingBatches.increment(batches.size());
    }
    var arguments = arguments(destination, batches);
    return (destination.replicated()
            ? scripts.runReplicatedForMany(destination.script(), destination.keys(), arguments)
            : scripts.runForMany(destination.script(), destination.keys(), arguments))
        .map(reply -> split(destination, reply, batches));
  }

  /** The same each time they are put in a request: what is sent again is the same change. */
  private Consumer<Request> arguments(Destination destination, List<SegmentBatch> batches) {
    var isAdd = destination.script() == Script.ADD;
    var mark = destination.script().effect() == Effect.WRITE ? marks.next() : "";
    return request -> {
      request.arg(destination.generation().toString());
      var k = destination.k();
      request.arg(destination.replicated() ? -k : k);
      if (!mark.isEmpty()) {
        request.arg(mark);
      }
      if (isAdd) {
        request.arg(destination.grows() ? "1" : "0");
      }
      for (var batch : batches) {
        for (var position : batch.positions()) {
          request.arg(position);
        }
      }
    };
  }

  /**
   * The part of a reply that belongs to each batch, up to the one that was refused an element. Of
   * those behind it nothing was done, and they need not be refused: what is known is taken by a
   * full segment too.
   */
  private static List<Answer> split(
      Destination destination, ScriptReply reply, List<SegmentBatch> batches) {
    var isOk = reply.status().equals("OK");
    var answers = new ArrayList<Answer>(batches.size());
    if (!isOk && !reply.status().equals("FULL")) {
      batches.forEach(batch -> answers.add(new Answer(reply, new boolean[0], NONE, NO_COUNTS)));
      return answers;
    }
    var text = reply.text(1);
    var from = 0;
    for (var batch : batches) {
      var count = Math.min(batch.elements().length, text.length() - from);
      answers.add(
          destination.script() == Script.MULTIPLICITY
              ? counted(reply, text, from, count)
              : new Answer(
                  reply, flags(reply, text, from, count), refused(text, from, count), NO_COUNTS));
      from += count;
      if (count < batch.elements().length) {
        if (isOk) {
          throw reply.unexpectedStatus();
        }
        return answers;
      }
    }
    if (!isOk || from < text.length()) {
      throw reply.unexpectedStatus();
    }
    return answers;
  }

  private static Answer counted(ScriptReply reply, String text, int from, int count) {
    var flags = new boolean[count];
    var counts = new byte[count];
    for (var i = 0; i < count; i++) {
      var digit = Character.digit(text.charAt(from + i), 16);
      if (digit < 0) {
        throw reply.unexpectedStatus();
      }
      flags[i] = digit > 0;
      counts[i] = (byte) digit;
    }
    return new Answer(reply, flags, NONE, counts);
  }

  private static boolean[] flags(ScriptReply reply, String text, int from, int count) {
    var flags = new boolean[count];
    for (var i = 0; i < count; i++) {
      flags[i] =
          switch (text.charAt(from + i)) {
            case '1' -> true;
            case '0', '2' -> false;
            default -> throw reply.unexpectedStatus();
          };
    }
    return flags;
  }

  private static BitSet refused(String text, int from, int count) {
    var first = text.indexOf('2', from);
    if (first < 0 || first >= from + count) {
      return NONE;
    }
    var refused = new BitSet(count);
    for (var i = first; i < from + count; i++) {
      refused.set(i - from, text.charAt(i) == '2');
    }
    return refused;
  }

  /**
   * What became of a batch.
   *
   * @param reply the whole reply of the call, which other batches may have shared
   * @param flags for each element done, in order. Fewer than the batch has if the segment refused
   *     the next one as it is full; none if the script refused to act
   * @param refused of a filter that grows, the elements that the segment refused
   * @param counts of MULTIPLICITY, how often each element was added at most
   */
  record Answer(ScriptReply reply, boolean[] flags, BitSet refused, byte[] counts) {}

  /**
   * What batches must have in common to share a call.
   *
   * @param room how many elements fit into one
   */
  private record Destination(
      Script script,
      List<String> keys,
      FilterName name,
      Generation generation,
      int k,
      int room,
      boolean grows,
      boolean replicated) {}
}
