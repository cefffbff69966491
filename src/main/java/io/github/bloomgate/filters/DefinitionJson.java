package io.github.bloomgate.filters;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.PlanJson;
import io.github.bloomgate.model.error.FilterErrors;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The definition of a generation as JSON, its form in Redis. */
@Singleton
public class DefinitionJson {

  /** Changes with the storage format of segments or definitions. */
  private static final int FORMAT = 5;

  private final HashSecrets secrets;

  DefinitionJson(HashSecrets secrets) {
    this.secrets = secrets;
  }

  /** The constants of a generation. */
  public record Definition(FilterPlan plan, Optional<AdoptedKey> adoptedKey) {}

  private record Document(int format, PlanJson plan, Optional<AdoptedKey> adoptedKey) {}

  /** Writes a definition. The same definition always gives the same text. */
  public String write(Definition definition) {
    return StoredJson.write(
        new Document(FORMAT, PlanJson.of(definition.plan), definition.adoptedKey));
  }

  /**
   * Reads a definition.
   *
   * @param key the Redis key it was read from
   * @throws io.github.bloomgate.model.error.BloomException FILTER_DAMAGED if this version of the
   *     service cannot read it
   */
  Definition read(FilterName name, String key, String json) {
    try {
      var tree = StoredJson.MAPPER.readTree(json);
      // Another format may have other fields.
      var format = tree.required("format").asInt();
      if (format != FORMAT) {
        throw FilterErrors.unknownFormat(name, String.valueOf(format));
      }
      var document = StoredJson.MAPPER.treeToValue(tree, Document.class);
      return new Definition(plan(name, document.plan), document.adoptedKey);
    } catch (JsonProcessingException | IllegalArgumentException malformed) {
      throw FilterErrors.damaged(name, key);
    }
  }

  private FilterPlan plan(FilterName name, PlanJson plan) {
    var scheme =
        plan.scheme().orElseThrow(() -> FilterErrors.unknownFormat(name, plan.hashScheme()));
    return plan.toPlan(scheme.keyOrigin().map(secrets::scheme).orElse(scheme));
  }
}
