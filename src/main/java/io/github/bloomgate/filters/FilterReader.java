package io.github.bloomgate.filters;

import io.github.bloomgate.filters.DefinitionJson.Definition;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.SlotKeys;
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
        false,
        Optional.empty());
  }

  /** Reads a filter with its next generation, if a rebuild is open. */
  FoundFilter read(FilterName name, FilterState state, Optional<FilterState> next) {
    return new FoundFilter(read(name, state), next.map(its -> read(name, its)));
  }

  /** Reads one generation. */
  public GenerationView read(FilterName name, FilterState state) {
    var isNext = state.loading().isPresent();
    var key = isNext ? SlotKeys.next(name) : SlotKeys.state(name);
    var definition = definitions.read(name, key, state.definition());
    var filter =
        new Filter(
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
    return GenerationView.of(filter, state);
  }
}
