package io.github.bloomgate.redis;

import io.github.bloomgate.model.error.StoreErrors;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.RedisURI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The nodes of a cluster, with a link to each, and the owners of the slots. Thread-safe. */
final class ClusterNodes {
  static final int SLOTS = 16_384;

  private final Supplier<RedisOptions> options;
  private final BiFunction<String, Integer, RedisNode> opener;
  private final AtomicReferenceArray<RedisNode> owners = new AtomicReferenceArray<>(SLOTS);

  // Guarded by this.
  private final Map<String, RedisNode> links = new LinkedHashMap<>();
  private int rotation;
  private boolean closed;

  /**
   * @param options with the initial nodes
   * @param opener opens a link to the node with a host and port
   */
  ClusterNodes(Supplier<RedisOptions> options, BiFunction<String, Integer, RedisNode> opener) {
    this.options = options;
    this.opener = opener;
  }

  /** The link to the owner of a slot, or null if unknown. */
  RedisNode owner(int slot) {
    return owners.get(slot);
  }

  /** The nodes to ask for the slot owners, in rotating order because one may be out of date. */
  synchronized List<RedisNode> candidates() {
    requireOpen();
    for (var seed : options.get().getEndpoints()) {
      var uri = new RedisURI(seed);
      link(uri.socketAddress().host(), uri.socketAddress().port());
    }
    var all = new ArrayList<>(links.values());
    Collections.rotate(all, rotation++);
    // Connected nodes first: asking one that hangs takes time.
    all.sort((one, other) -> Boolean.compare(other.isConnected(), one.isConnected()));
    return all;
  }

  /** Applies a reply to CLUSTER SLOTS. */
  synchronized void learn(Response slots, RedisNode from) {
    requireOpen();
    var owned = new RedisNode[SLOTS];
    Set<RedisNode> present = new HashSet<>();
    for (var range : slots) {
      for (var i = 2; i < range.size(); i++) {
        present.add(at(range.get(i), from));
      }
      var owner = at(range.get(2), from);
      Arrays.fill(owned, range.get(0).toInteger(), range.get(1).toInteger() + 1, owner);
    }
    for (var slot = 0; slot < SLOTS; slot++) {
      owners.set(slot, owned[slot]);
    }
    if (!present.isEmpty()) {
      links.values().stream().filter(link -> !present.contains(link)).forEach(RedisNode::retire);
      links.values().retainAll(present);
    }
  }

  private RedisNode at(Response node, RedisNode from) {
    var host = node.get(0) == null ? "" : node.get(0).toString();
    return link(host.isEmpty() || host.equals("?") ? from.host() : host, node.get(1).toInteger());
  }

  /** Applies a redirection to another owner of a slot. */
  synchronized void move(int slot, String address, RedisNode from) {
    owners.set(slot, at(address, from));
  }

  /** The link to a node named by another one. */
  synchronized RedisNode at(String address, RedisNode from) {
    var colon = address.lastIndexOf(':');
    if (colon < 0) {
      return from;
    }
    var host = address.substring(0, colon);
    return link(
        host.isEmpty() ? from.host() : host, Integer.parseInt(address.substring(colon + 1)));
  }

  synchronized void close() {
    closed = true;
    links.values().forEach(RedisNode::close);
    links.clear();
  }

  private RedisNode link(String host, int port) {
    requireOpen();
    return links.computeIfAbsent(host + ":" + port, ignored -> opener.apply(host, port));
  }

  private void requireOpen() {
    if (closed) {
      throw StoreErrors.unavailable("The service is shutting down.", null);
    }
  }
}
