package io.github.bloomgate.support;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Simulates a client's database. It has every element before the filter does, so that reading it
 * after opening a rebuild finds all earlier elements.
 */
public final class SourceOfTruth {

  private final List<Batch> batches = new ArrayList<>();
  private int counter;

  /** The new elements of one request. */
  public static final class Batch {
    public final List<byte[]> elements;

    /** Whether a request that added them has succeeded, so that the filter must have them. */
    public volatile boolean acknowledged;

    /** Whether a rebuild may have loaded them before they were added. */
    public volatile boolean loadedBefore;

    private Batch(List<byte[]> elements) {
      this.elements = elements;
    }
  }

  /** Records new elements, before they are added. */
  public synchronized Batch note(Random random, int size) {
    var batch = new Batch(IntStream.range(0, size).mapToObj(i -> element(random)).toList());
    batches.add(batch);
    return batch;
  }

  private byte[] element(Random random) {
    return ByteBuffer.allocate(12).putLong(random.nextLong()).putInt(counter++).array();
  }

  /** All current elements, for a load. */
  public List<byte[]> read() {
    var all = snapshot();
    for (var batch : all) {
      if (!batch.acknowledged) {
        batch.loadedBefore = true;
      }
    }
    return elements(all);
  }

  /** Elements that must be in the filter: acknowledged batches from an index. */
  public List<byte[]> acknowledged(int from) {
    return elements(
        snapshot().stream().skip(Math.max(0, from)).filter(batch -> batch.acknowledged).toList());
  }

  /** The number of batches. */
  public synchronized int size() {
    return batches.size();
  }

  /** The number of elements. */
  public synchronized int elements() {
    return counter;
  }

  private synchronized List<Batch> snapshot() {
    return List.copyOf(batches);
  }

  private static List<byte[]> elements(List<Batch> batches) {
    return batches.stream().flatMap(batch -> batch.elements.stream()).toList();
  }
}
