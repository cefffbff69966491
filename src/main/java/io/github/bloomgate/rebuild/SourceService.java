package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.rebuild.source.SourceStreams;
import io.github.bloomgate.store.SourceAgenda;
import io.github.bloomgate.store.SourceMembers;
import io.github.bloomgate.store.SourceStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Gives filters sources to be rebuilt from and takes them away; {@link SourceRuns} reads them. All
 * methods fail with {@link BloomException}, FILTER_NOT_FOUND among them.
 */
@ApplicationScoped
public class SourceService {

  private final SourceStore sources;
  private final SourceAgenda agenda;
  private final SourceStreams streams;

  public SourceService(SourceStore sources, SourceAgenda agenda, SourceStreams streams) {
    this.sources = sources;
    this.agenda = agenda;
    this.streams = streams;
  }

  /**
   * Gives a filter a source, in place of one it may have, whose run then ends without effect. The
   * same one again changes nothing.
   *
   * @throws BloomException INVALID_REQUEST if the configuration does not allow it; FILTER_CHANGED
   *     if somebody takes the source away at once
   */
  public Uni<SourceStatus> attach(FilterName name, Source source) {
    requireAllowed(source.origin());
    return sources
        .find(name)
        .chain(
            found -> {
              var next = source.schedule().next(found.now(), found.now());
              var enter =
                  next.map(at -> agenda.enter(name, at))
                      .orElseGet(() -> Uni.createFrom().voidItem());
              return enter.chain(() -> sources.attach(name, source, next)).chain(() -> enter);
            })
        .chain(() -> find(name))
        .onFailure(SourceService::isWithoutSource)
        .transform(detachedSince -> FilterErrors.changedSince(name));
  }

  private static boolean isWithoutSource(Throwable failure) {
    return failure instanceof BloomException bloom && bloom.code() == ErrorCode.SOURCE_NOT_FOUND;
  }

  private void requireAllowed(Origin origin) {
    if (origin instanceof Origin.RedisKey redis) {
      SourceMembers.requireForeign(redis);
    } else if (origin instanceof Origin.Url url) {
      streams.requireAllowed(url);
    } else if (origin instanceof Origin.File file) {
      streams.requireAllowed(file);
    }
  }

  /**
   * The source of a filter, and what became of it so far.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public Uni<SourceStatus> find(FilterName name) {
    return sources
        .find(name)
        .map(found -> found.source().orElseThrow(() -> RebuildErrors.sourceNotFound(name)));
  }

  /**
   * Takes the source of a filter away; a run of it ends without effect, and the content stays.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public Uni<Void> detach(FilterName name) {
    return sources.detach(name);
  }
}
