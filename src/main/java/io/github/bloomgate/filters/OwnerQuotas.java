package io.github.bloomgate.filters;

/** The quotas of API keys. */
public interface OwnerQuotas {

  /** The quota of a key; without limits if there is no such key. */
  Quota of(String owner);
}
