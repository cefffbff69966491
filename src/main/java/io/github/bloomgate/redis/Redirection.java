package io.github.bloomgate.redis;

import java.util.Arrays;
import java.util.Optional;

/**
 * The cause of a refusal: a node of a cluster does not serve the slot of a request, and has not
 * executed it.
 */
final class Redirection extends RuntimeException {
  private static final long serialVersionUID = 1L;

  enum Kind {
    /** Another node owns the slot. */
    MOVED,
    /** The slot is being moved to another node, which already has this key. */
    ASK,
    /** The slot is being moved, and the keys of the request are on both nodes. */
    TRYAGAIN,
    /** The slot has no owner, or the node has lost the majority of the cluster. */
    CLUSTERDOWN
  }

  private final Kind kind;
  private final String address;

  /** The message has no address, because it may be logged. */
  private Redirection(Kind kind, String address) {
    super(kind.name(), null, false, false);
    this.kind = kind;
    this.address = address;
  }

  /** Reads an error reply of a node. */
  static Optional<Redirection> of(String reply) {
    String[] words = reply.split(" ", -1);
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.name().equals(words[0]))
        .map(kind -> new Redirection(kind, words.length < 3 ? "" : words[2]))
        .findFirst();
  }

  Kind kind() {
    return kind;
  }

  /** Host and port of the other node of a move; if the host is empty, it is the replying node's. */
  String address() {
    return address;
  }
}
