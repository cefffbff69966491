package io.github.bloomgate.hash;

import java.util.Optional;

/** A keyed scheme cannot compute positions because its key is unknown. */
public final class MissingKeyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Optional<KeyOrigin> origin;

  MissingKeyException(Optional<KeyOrigin> origin) {
    super("The key of the scheme is not known: " + origin.map(KeyOrigin::secretId).orElse("none"));
    this.origin = origin;
  }

  /** The origin of the key; empty if the scheme has no filter yet. */
  public Optional<KeyOrigin> origin() {
    return origin;
  }
}
