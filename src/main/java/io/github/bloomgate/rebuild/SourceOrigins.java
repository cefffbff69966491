package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.rebuild.source.SourceStreams;
import io.github.bloomgate.store.SourceMembers;
import jakarta.enterprise.context.ApplicationScoped;

/** Opens the origins of sources: Redis keys, files and URLs. */
@ApplicationScoped
public class SourceOrigins {

  private final SourceMembers members;
  private final SourceStreams streams;

  public SourceOrigins(SourceMembers members, SourceStreams streams) {
    this.members = members;
    this.streams = streams;
  }

  /**
   * Checks that the configuration allows the origin.
   *
   * @throws BloomException INVALID_REQUEST if it does not
   */
  void requireAllowed(Origin origin) {
    if (origin instanceof Origin.RedisKey redis) {
      SourceMembers.requireForeign(redis);
    } else if (origin instanceof Origin.Url url) {
      streams.requireAllowed(url);
    } else if (origin instanceof Origin.File file) {
      streams.requireAllowed(file);
    }
  }

  /**
   * Opens an origin.
   *
   * @throws BloomException SOURCE_UNREADABLE; INVALID_REQUEST if it is not or no longer allowed
   */
  SourceReader open(Origin origin) {
    if (origin instanceof Origin.Url url) {
      return streams.open(url);
    }
    if (origin instanceof Origin.File file) {
      return streams.open(file);
    }
    return new RedisKeyReader(members, (Origin.RedisKey) origin);
  }
}
