package io.github.bloomgate.filters;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.PlanJson;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.Written;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/** Creates and parses the states of filters. */
@Singleton
public class FilterStates {

  /** Changes with the storage format of segments or definitions. */
  private static final int FORMAT = 5;

  private final HashSecrets secrets;

  FilterStates(HashSecrets secrets) {
    this.secrets = secrets;
  }

  /** The constants of a generation, as JSON in Redis. */
  private record Definition(int format, PlanJson plan, Optional<AdoptedKey> adoptedKey) {}

  /**
   * The state of new, empty content. If its scheme needs a key, it gets a new one.
   *
   * @param plan its layers are opened now
   * @param owner the API key that creates it; empty for none
   * @throws BloomException INVALID_REQUEST if a new key is needed and there is no secret;
   *     SECRET_MISSING if it has a key already, which is unknown
   */
  public FilterState newState(
      FilterName name,
      FilterPlan plan,
      Optional<AdoptedKey> key,
      long number,
      Instant now,
      Optional<Instant> expiresAt,
      String owner) {
    var scheme = secrets.forContent(plan.parameters().hashScheme());
    return new FilterState(
        definition(plan.withHashScheme(scheme).openedAt(Optional.of(now)), key),
        ContentId.newId(),
        new ContentId(name, ContentId.newId()),
        number,
        now,
        expiresAt,
        Optional.empty(),
        Optional.empty(),
        Written.NONE,
        Optional.empty(),
        owner,
        false,
        false,
        Optional.empty());
  }

  /** Writes a definition. The same definition always gives the same text. */
  public String definition(FilterPlan plan, Optional<AdoptedKey> key) {
    return StoredJson.write(new Definition(FORMAT, PlanJson.of(plan), key));
  }

  /** Reads a filter with its next generation, if a rebuild is open. */
  Filter read(FilterName name, FilterState state, Optional<FilterState> next) {
    return new Filter(read(name, state), next.map(its -> read(name, its)));
  }

  /**
   * Reads one generation.
   *
   * @throws io.github.bloomgate.model.error.BloomException FILTER_DAMAGED if this version of the
   *     service cannot read its definition
   */
  public Generation read(FilterName name, FilterState state) {
    var key = state.loading().isPresent() ? Keys.next(name) : Keys.state(name);
    var definition = definition(name, key, state.definition());
    return Generation.of(name, plan(name, key, definition.plan), definition.adoptedKey, state);
  }

  private static Definition definition(FilterName name, String key, String json) {
    try {
      var tree = StoredJson.MAPPER.readTree(json);
      // Another format may have other fields.
      var format = tree.required("format").asInt();
      if (format != FORMAT) {
        throw FilterErrors.unknownFormat(name, String.valueOf(format));
      }
      return StoredJson.MAPPER.treeToValue(tree, Definition.class);
    } catch (JsonProcessingException | IllegalArgumentException malformed) {
      throw FilterErrors.damaged(name, key);
    }
  }

  private FilterPlan plan(FilterName name, String key, PlanJson plan) {
    var scheme =
        plan.scheme().orElseThrow(() -> FilterErrors.unknownFormat(name, plan.hashScheme()));
    try {
      return plan.toPlan(scheme.keyOrigin().map(secrets::scheme).orElse(scheme));
    } catch (IllegalArgumentException impossible) {
      throw FilterErrors.damaged(name, key);
    }
  }
}
