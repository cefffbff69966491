package io.github.bloomgate.hash;

import java.util.ArrayList;
import java.util.List;

/**
 * A filter as RedisBloom lets it grow: layers, the oldest first. Once the newest has taken its
 * capacity, one with more capacity and half of the rate follows.
 */
final class GrowingFilter {

  private final HashScheme scheme;
  private final int expansion;
  private final List<RedisBitmaps> layers = new ArrayList<>();

  private long capacity;
  private double error;
  private long insertions;

  GrowingFilter(HashScheme scheme, long capacity, double error, int expansion) {
    this.scheme = scheme;
    this.capacity = capacity;
    this.error = error;
    this.expansion = expansion;
    grow();
  }

  List<RedisBitmaps> layers() {
    return layers;
  }

  boolean mightContain(byte[] element) {
    return layers.stream().anyMatch(layer -> layer.mightContain(element));
  }

  /** Returns whether the element was new. */
  boolean add(byte[] element) {
    if (mightContain(element)) {
      return false;
    }
    if (insertions == capacity) {
      capacity *= expansion;
      error /= 2;
      insertions = 0;
      grow();
    }
    layers.get(layers.size() - 1).add(element);
    insertions++;
    return true;
  }

  private void grow() {
    layers.add(new RedisBitmaps(scheme, scheme.shapeFor(capacity, error)));
  }
}
