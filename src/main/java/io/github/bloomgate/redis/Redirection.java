package io.github.bloomgate.redis;

import io.github.bloomgate.model.error.StoreErrors;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.Arrays;
import java.util.Optional;

/** A node of a cluster does not serve the slot of a request, and has not executed it. */
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
  private final transient Throwable reply;

  private Redirection(Kind kind, String address, Throwable reply) {
    super(kind.name(), null, false, false);
    this.kind = kind;
    this.address = address;
    this.reply = reply;
  }

  /** Reads the error reply of a node. */
  static Optional<Redirection> of(Throwable failure) {
    if (!(failure instanceof ErrorType)) {
      return Optional.empty();
    }
    String[] words = String.valueOf(failure.getMessage()).split(" ", -1);
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.name().equals(words[0]))
        .map(kind -> new Redirection(kind, words.length < 3 ? "" : words[2], failure))
        .findFirst();
  }

  Kind kind() {
    return kind;
  }

  /** Host and port of the other node of a move; if the host is empty, it is the replying node's. */
  String address() {
    return address;
  }

  /** The error if the redirection could not be followed in time. */
  RuntimeException unfollowed() {
    return kind == Kind.MOVED || kind == Kind.ASK
        ? StoreErrors.unavailable(
            "The nodes of the Redis Cluster do not agree on which node serves the keys. Repeat the request"
                + " later.",
            null)
        : LinkFailure.refused(reply);
  }
}
