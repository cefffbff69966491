package io.github.bloomgate.filters;

/** The quotas of API keys. */
public interface OwnerQuotas {

  /** The quota of the filters that a key has created; without limits if there is no such key. */
  Quota of(String owner);
}
