package io.github.bloomgate.server.observe;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.FormerLayout;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Refuses to start on a Redis with filters in another storage layout. */
@Singleton
class LayoutCheck {

  private final FormerLayout former;

  LayoutCheck(FormerLayout former) {
    this.former = former;
  }

  void start(@Observes StartupEvent starting) {
    if (isInUse()) {
      throw new ConfigurationException(
          "Redis holds filters of a development version (key %s), whose storage layout this version does not read. Set quarkus.redis.hosts or bloomgate.embedded.data-dir to another place, or delete all keys that begin with 'bloom:'."
              .formatted(FormerLayout.CATALOGUE));
    }
  }

  /** The service also starts while Redis is unavailable, and then does not find old filters. */
  private boolean isInUse() {
    try {
      return former.isInUse();
    } catch (BloomException away) {
      return false;
    }
  }
}
