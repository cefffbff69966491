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
 * Sets and removes the sources of filters, which {@link SourceRuns} reads. All methods fail with
 * {@link BloomException}, including FILTER_NOT_FOUND.
 */
@ApplicationScoped
public class SourceService {

  /** Never has a claim. */
  private static final String NO_RUN = "none";

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
   * Sets or replaces the source of a filter. A run of the old source ends without effect. Setting
   * the same source changes nothing.
   *
   * @throws BloomException INVALID_REQUEST if the configuration does not allow it; FILTER_CHANGED
   *     if another client removes the source immediately
   */
  public SourceStatus attach(FilterName name, Source source) {
    origins.requireAllowed(source.origin());
    var now = sources.now(name);
    var next = source.schedule().next(now, now);
    next.ifPresent(at -> agenda.enter(name, at));
    sources.attach(name, source, next);
    next.ifPresent(at -> agenda.enter(name, at));
    var status = sources.find(name).orElseThrow(() -> FilterErrors.changedSince(name));
    rebuild.abortLeftOver(name, NO_RUN);
    return status;
  }

  /**
   * The source of a filter and the state of its runs.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public SourceStatus find(FilterName name) {
    return sources.find(name).orElseThrow(() -> RebuildErrors.sourceNotFound(name));
  }

  /**
   * Removes the source of a filter. A run of it ends without effect, and the content stays.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public void detach(FilterName name) {
    sources.release(name);
    rebuild.abortLeftOver(name, NO_RUN);
  }
}
