package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;

/**
 * A generation of a filter, as the caller read it.
 *
 * @param name the name of the filter
 * @param isNext whether it is the generation that a rebuild loads, not the live one
 * @param version the version of its state
 */
public record StoredGeneration(FilterName name, boolean isNext, String version, ContentId content) {

  String stateKey() {
    return isNext ? Keys.next(name) : Keys.state(name);
  }

  public String segmentKey(int segment) {
    return Keys.segment(content, segment);
  }

  /** The same content after the rebuild that loaded it was committed. */
  public StoredGeneration committed() {
    return new StoredGeneration(name, false, version, content);
  }

  /** The error for a segment whose key holds another type. */
  public BloomException wrongType(int segment) {
    return FilterErrors.wrongKeyType(name, segmentKey(segment));
  }

  /** The error for a segment that is missing or malformed. */
  public BloomException damaged(int segment) {
    return FilterErrors.damaged(name, segmentKey(segment));
  }
}
