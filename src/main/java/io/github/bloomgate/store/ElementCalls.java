package io.github.bloomgate.store;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Adds, removes, tests and counts the elements of batches bit by bit; several batches in one call
 * where that saves calls. Each batch is answered as if it had been sent alone, at one moment
 * between its sending and its answer. Where one Redis has both, the filter's first segment is
 * looked at in the same step.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, FILTER_DAMAGED, WRONG_KEY_TYPE, KEY_MISMATCH; with {@link StaleFilterException} if
 * the segment is missing, or it or the filter has another generation; and with {@link
 * JournaledException} where others journal.
 */
@Singleton
public class ElementCalls {

  private final FilterScripts scripts;
  private final Marks marks = new Marks();
  private final boolean coalescing;
  private final Coalescer<Destination, SegmentBatch, SegmentResult> coalescer;
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

  /** Adds the elements of a batch, in order; fails with NOT_REPLICATED too. */
  public Uni<SegmentResult> add(Filter filter, SegmentBatch batch, Durability durability) {
    return run(Script.ADD, filter, batch, durability == Durability.REPLICATED);
  }

  /** Removes them from a filter that counts, in order; likewise. */
  public Uni<SegmentResult> remove(Filter filter, SegmentBatch batch, Durability durability) {
    return run(Script.REMOVE, filter, batch, durability == Durability.REPLICATED);
  }

  /** Tests them. */
  public Uni<SegmentResult> test(Filter filter, SegmentBatch batch) {
    return run(Script.TEST, filter, batch, false);
  }

  /**
   * Tells how often each was added at most, less how often it was removed, if the filter counts.
   */
  public Uni<SegmentResult> multiplicity(Filter filter, SegmentBatch batch) {
    return run(Script.MULTIPLICITY, filter, batch, false);
  }

  private Uni<SegmentResult> run(
      Script script, Filter filter, SegmentBatch batch, boolean isReplicated) {
    var segment = batch.segment();
    var isAlone = segment == 0 || scripts.isSpread();
    var k = filter.shapeOf(segment).numHashFunctions();
    var destination =
        new Destination(
            script,
            isAlone ? Keys.ofSegment(filter, segment) : Keys.withFirst(filter, segment),
            filter.name(),
            filter.generation(),
            k,
            SegmentBatch.mostElements(filter.parameters(), k),
            filter.grows(),
            isReplicated,
            segment == 0 || !isAlone);
    var result = coalescing ? coalescer.send(destination, batch) : runAlone(destination, batch);
    return isAlone
        ? result
        : scripts.unlessSpread(result, () -> run(script, filter, batch, isReplicated));
  }

  private Uni<SegmentResult> runAlone(Destination destination, SegmentBatch batch) {
    var alone = List.of(batch);
    return Uni.createFrom()
        .deferred(
            () -> {
              var arguments = arguments(destination, alone);
              return destination.replicated()
                  ? scripts.runReplicated(destination.script(), destination.keys(), arguments)
                  : scripts.run(destination.script(), destination.keys(), arguments);
            })
        .map(reply -> split(destination, reply, alone).get(0));
  }

  private Uni<List<SegmentResult>> runShared(Destination destination, List<SegmentBatch> batches) {
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
  private static List<SegmentResult> split(
      Destination destination, ScriptReply reply, List<SegmentBatch> batches) {
    var isOk = reply.status().equals("OK");
    if (!isOk && !reply.status().equals("FULL")) {
      throw Refusals.of(reply, destination.name(), destination.keys());
    }
    var results = new ArrayList<SegmentResult>(batches.size());
    var text = reply.text(1);
    var from = 0;
    for (var batch : batches) {
      var count = Math.min(batch.elements().length, text.length() - from);
      var isCutShort = count < batch.elements().length;
      results.add(result(destination, reply, text.substring(from, from + count), isCutShort));
      from += count;
      if (isCutShort) {
        if (isOk) {
          throw reply.unexpectedStatus();
        }
        return results;
      }
    }
    if (!isOk || from < text.length()) {
      throw reply.unexpectedStatus();
    }
    return results;
  }

  private static SegmentResult result(
      Destination destination, ScriptReply reply, String text, boolean isCutShort) {
    var script = destination.script();
    var counts = script == Script.MULTIPLICITY ? counts(reply, text) : SegmentResult.NO_COUNTS;
    return new SegmentResult(
        script == Script.MULTIPLICITY ? areAbove0(counts) : flags(reply, text),
        refused(text),
        counts,
        isCutShort || (script == Script.TEST && reply.text(2).equals("1")),
        script == Script.ADD ? FilterState.next(reply, 2) : Optional.empty(),
        destination.isConfirmed(),
        reply.replicas());
  }

  private static byte[] counts(ScriptReply reply, String text) {
    var counts = new byte[text.length()];
    for (var i = 0; i < counts.length; i++) {
      var digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        throw reply.unexpectedStatus();
      }
      counts[i] = (byte) digit;
    }
    return counts;
  }

  private static boolean[] areAbove0(byte[] counts) {
    var flags = new boolean[counts.length];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = counts[i] > 0;
    }
    return flags;
  }

  private static boolean[] flags(ScriptReply reply, String text) {
    var flags = new boolean[text.length()];
    for (var i = 0; i < flags.length; i++) {
      flags[i] =
          switch (text.charAt(i)) {
            case '1' -> true;
            case '0', '2' -> false;
            default -> throw reply.unexpectedStatus();
          };
    }
    return flags;
  }

  private static BitSet refused(String text) {
    var first = text.indexOf('2');
    if (first < 0) {
      return SegmentResult.NONE;
    }
    var refused = new BitSet(text.length());
    for (var i = first; i < text.length(); i++) {
      refused.set(i, text.charAt(i) == '2');
    }
    return refused;
  }

  /**
   * What batches must have in common to share a call.
   *
   * @param room how many elements fit into one
   * @param isConfirmed whether the filter's first segment is looked at
   */
  private record Destination(
      Script script,
      List<String> keys,
      FilterName name,
      Generation generation,
      int k,
      int room,
      boolean grows,
      boolean replicated,
      boolean isConfirmed) {}
}
