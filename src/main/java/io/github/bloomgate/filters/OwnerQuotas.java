package io.github.bloomgate.filters;

import io.github.bloomgate.model.Quota;

/** The quotas of API keys. */
public interface OwnerQuotas {

  /** The quota of a key; without limits if there is no such key. */
  Quota of(String owner);
}
