package io.github.bloomgate.filters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** For each key, the elements sent and those that must be present. */
final class AddedUnderKeys {

  private final AtomicLong epoch;
  private final Map<String, List<byte[]>> sent = new ConcurrentHashMap<>();
  private final Map<String, List<byte[]>> added = new ConcurrentHashMap<>();

  /**
   * @param epoch odd while the filter changes in a way that others may notice
   */
  AddedUnderKeys(List<String> keys, AtomicLong epoch) {
    this.epoch = epoch;
    keys.forEach(each -> sent.put(each, new ArrayList<>()));
    keys.forEach(each -> added.put(each, new ArrayList<>()));
  }

  void forget(String key) {
    synchronized (sent) {
      sent.get(key).clear();
      added.get(key).clear();
    }
  }

  int sentCount(String key) {
    synchronized (sent) {
      return sent.get(key).size();
    }
  }

  List<byte[]> sent(String key) {
    synchronized (sent) {
      return List.copyOf(sent.get(key));
    }
  }

  boolean send(String key, List<byte[]> batch, long before) {
    synchronized (sent) {
      // Otherwise what a clear has dropped would come back.
      return epoch.get() == before && sent.get(key).addAll(batch);
    }
  }

  void acknowledge(String key, List<byte[]> batch, long before) {
    synchronized (sent) {
      if (epoch.get() == before) {
        added.get(key).addAll(batch);
      }
    }
  }

  /** The latest elements that must be present. */
  List<byte[]> known(String key) {
    synchronized (sent) {
      var all = added.get(key);
      return List.copyOf(all.subList(Math.max(0, all.size() - 400), all.size()));
    }
  }

  List<byte[]> all(String key) {
    synchronized (sent) {
      return List.copyOf(added.get(key));
    }
  }
}
