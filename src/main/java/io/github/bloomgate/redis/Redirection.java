package io.github.bloomgate.redis;

import io.github.bloomgate.model.error.StoreErrors;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.Optional;

/**
 * A node of a cluster says that another one, or nobody for now, serves the slot of a request. It
 * has done nothing of the request.
 */
final class Redirection extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What the node says. */
  enum Kind {
    /** Another node owns the slot. */
    MOVED,
    /** The slot is on its way to another node, which has this key by now. */
    ASK,
    /** The keys of the request are on both sides of a slot on its way. */
    TRYAGAIN,
    /** Nobody owns the slot, or the node has lost the majority of the cluster. */
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
    return switch (words[0]) {
      case "MOVED" -> Optional.of(new Redirection(Kind.MOVED, third(words), failure));
      case "ASK" -> Optional.of(new Redirection(Kind.ASK, third(words), failure));
      case "TRYAGAIN" -> Optional.of(new Redirection(Kind.TRYAGAIN, "", failure));
      case "CLUSTERDOWN" -> Optional.of(new Redirection(Kind.CLUSTERDOWN, "", failure));
      default -> Optional.empty();
    };
  }

  private static String third(String[] words) {
    return words.length < 3 ? "" : words[2];
  }

  Kind kind() {
    return kind;
  }

  /** Host and port of the other node; the host is empty if it is that of the node itself. */
  String address() {
    return address;
  }

  /** The error for a request that could not be brought to the right node in time. */
  RuntimeException unfollowed() {
    return kind == Kind.MOVED || kind == Kind.ASK
        ? StoreErrors.unavailable(
            "The nodes of the Redis Cluster do not agree on who serves the keys. Repeat the request"
                + " later.",
            null)
        : LinkFailure.refused(reply);
  }
}
