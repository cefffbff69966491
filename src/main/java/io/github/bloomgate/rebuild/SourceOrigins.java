package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.rebuild.source.SourceStreams;
import io.github.bloomgate.store.SourceMembers;
import jakarta.enterprise.context.ApplicationScoped;

/** What sources are read from: keys of Redis, files and URLs. */
@ApplicationScoped
public class SourceOrigins {

  private final SourceMembers members;
  private final SourceStreams streams;

  public SourceOrigins(SourceMembers members, SourceStreams streams) {
    this.members = members;
    this.streams = streams;
  }

  /**
   * Checks whether the configuration allows to read it.
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
   * Begins to read it.
   *
   * @throws BloomException SOURCE_UNREADABLE; INVALID_REQUEST if it is not allowed (any more)
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
