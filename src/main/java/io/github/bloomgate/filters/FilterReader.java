package io.github.bloomgate.filters;

import io.github.bloomgate.filters.DefinitionJson.Definition;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.NextState;
import io.github.bloomgate.store.SegmentLayout;
import io.github.bloomgate.store.SlotKeys;
import io.github.bloomgate.store.StoredGeneration;
import io.github.bloomgate.store.Written;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/** Creates and parses the states of filters. */
@Singleton
public class FilterReader {

  private final DefinitionJson definitions;

  FilterReader(DefinitionJson definitions) {
    this.definitions = definitions;
  }

  /**
   * The state of new, empty content.
   *
   * @param plan its layers are opened now
   * @param owner the API key that creates it; empty for none
   */
  public FilterState newState(
      FilterName name,
      FilterPlan plan,
      Optional<AdoptedKey> key,
      long number,
      Instant now,
      Optional<Instant> expiresAt,
      String owner) {
    return new FilterState(
        definitions.write(new Definition(plan.openedAt(now), key)),
        Changes.newId(),
        new ContentId(name, Changes.newId()),
        number,
        now,
        expiresAt,
        Optional.empty(),
        Written.NONE,
        Optional.empty(),
        owner,
        false);
  }

  /** Reads a filter with its next generation, if a rebuild is open. */
  FoundFilter read(FilterName name, FilterState state, Optional<NextState> nextState) {
    var filter = read(name, state, false);
    var next = nextState.map(some -> new FoundFilter.Next(readNext(name, some), some));
    return new FoundFilter(
        filter,
        state,
        next,
        new FilterView(
            view(filter, state), next.map(some -> view(some.filter(), some.state().state()))));
  }

  /** Reads a next generation. */
  public Filter readNext(FilterName name, NextState next) {
    return read(name, next.state(), true);
  }

  private Filter read(FilterName name, FilterState state, boolean isNext) {
    var key = isNext ? SlotKeys.next(name) : SlotKeys.state(name);
    Definition definition = definitions.read(name, key, state.definition());
    return new Filter(
        name,
        definition.plan().parameters(),
        definition.plan().layers(),
        definition.adoptedKey(),
        state.content(),
        state.number(),
        state.version(),
        state.createdAt(),
        state.expiresAt(),
        isNext,
        state.next(),
        state.owner(),
        state.hasSource());
  }

  /** A generation in the form that element requests use. */
  public static GenerationView view(Filter filter, FilterState state) {
    var stored =
        new StoredGeneration(filter.name(), filter.isNext(), state.version(), state.content());
    return new GenerationView(
        stored,
        filter,
        filter.layers().stream().map(layer -> view(filter.parameters(), layer)).toList(),
        filter.nextLayer().isPresent(),
        state.written());
  }

  private static LayerView view(FilterParameters parameters, Layer layer) {
    var format = parameters.segmentFormat(layer);
    return new LayerView(
        parameters.places(layer.shape()),
        layer.firstSegment(),
        format,
        new SegmentLayout(format.bitmapBytes(), format.headerBytes(), format.journalLimit()));
  }
}
