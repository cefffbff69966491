package io.github.bloomgate.store;

import java.util.Optional;

/**
 * The reply of {@link RawStore}.
 *
 * @param value present if the status is OK
 */
public record RawReply<T>(Status status, Optional<T> value) {

  public enum Status {
    OK,
    /** The generation has another version. Nothing was changed. */
    CHANGED,
    /** The generation does not exist. */
    GONE
  }
}
