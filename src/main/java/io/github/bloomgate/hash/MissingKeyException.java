package io.github.bloomgate.hash;

import java.util.Optional;

/** A keyed scheme cannot tell positions, because its key is not known. */
public final class MissingKeyException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Optional<KeyOrigin> origin;

  MissingKeyException(Optional<KeyOrigin> origin) {
    super("The key of the scheme is not known: " + origin.map(KeyOrigin::secretId).orElse("none"));
    this.origin = origin;
  }

  /** What the key would be derived from; empty if the scheme is of no filter. */
  public Optional<KeyOrigin> origin() {
    return origin;
  }
}
