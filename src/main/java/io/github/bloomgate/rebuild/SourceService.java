package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.Agenda;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Gives filters sources to be rebuilt from and takes them away; {@link SourceRuns} reads them. All
 * methods fail with {@link BloomException}, FILTER_NOT_FOUND among them.
 */
@ApplicationScoped
public class SourceService {

  private final AttachedSources sources;
  private final Agenda agenda;
  private final SourceOrigins origins;
  private final SourceRebuild rebuild;

  SourceService(
      AttachedSources sources, Agenda agenda, SourceOrigins origins, SourceRebuild rebuild) {
    this.sources = sources;
    this.agenda = agenda;
    this.origins = origins;
    this.rebuild = rebuild;
  }

  /**
   * Gives a filter a source, in place of one it may have, whose run then ends without effect. The
   * same one again changes nothing.
   *
   * @throws BloomException INVALID_REQUEST if the configuration does not allow it; FILTER_CHANGED
   *     if somebody takes the source away at once
   */
  public SourceStatus attach(FilterName name, Source source) {
    origins.requireAllowed(source.origin());
    var now = sources.now(name);
    var next = source.schedule().next(now, now);
    next.ifPresent(at -> agenda.enter(name, at));
    sources.attach(name, source, next);
    next.ifPresent(at -> agenda.enter(name, at));
    var status = sources.find(name).orElseThrow(() -> FilterErrors.changedSince(name));
    if (status.run().isEmpty()) {
      rebuild.abortLeftOver(name);
    }
    return status;
  }

  /**
   * The source of a filter, and what became of it so far.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public SourceStatus find(FilterName name) {
    return sources.find(name).orElseThrow(() -> RebuildErrors.sourceNotFound(name));
  }

  /**
   * Takes the source of a filter away; a run of it ends without effect, and the content stays.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public void detach(FilterName name) {
    sources.release(name);
    rebuild.abortLeftOver(name);
  }
}
