package io.github.bloomgate.store;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;

/**
 * The keys under which other libraries keep their filters, before they are adopted.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, WRONG_KEY_TYPE.
 */
@ApplicationScoped
public class AdoptionStore {

  private final FilterScripts scripts;

  AdoptionStore(FilterScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * Makes a filter of the bitmap under a library's key, or of a new one that the library can open.
   *
   * @param filter what it shall be; without a deadline it gets the one that the library's keys have
   * @return false if the name is taken
   * @throws BloomException INVALID_REQUEST if it is in another slot of a Redis Cluster than the
   *     name; KEY_MISMATCH if the key, or the hash beside it, is of another shape; WRONG_KEY_TYPE
   */
  public boolean adopt(Filter filter) {
    var reply = callAdopt(filter);
    return switch (reply.status()) {
      case "CREATED" -> true;
      case "EXISTS" -> false;
      default -> throw Refusals.of(reply, filter.name(), Keys.ofAdoption(filter));
    };
  }

  private ScriptReply callAdopt(Filter filter) {
    var parameters = filter.parameters();
    try {
      return scripts.call(
          Script.ADOPT,
          Keys.ofAdoption(filter),
          request -> {
            request.arg(filter.shape().segmentBits());
            request.arg(filter.shape().numHashFunctions());
            request.arg(filter.expiresAt().map(at -> Long.toString(at.toEpochMilli())).orElse(""));
            request.arg(parameters.expectedInsertions());
            request.arg(Double.toString(parameters.falsePositiveProbability()));
            FilterState.newFields(filter).forEach(request::arg);
          });
    } catch (SeveralSlotsException several) {
      throw inAnotherSlot(filter);
    }
  }

  private static BloomException inAnotherSlot(Filter filter) {
    var key = filter.adoptedKey().orElseThrow().redisKey();
    return FilterErrors.keyInAnotherSlot(filter.name(), key, SlotNames.fitting(filter.name(), key));
  }

  /** Reads the fields of the hash that a library keeps beside its bitmap; none if there is none. */
  public Map<String, String> config(FilterName name, String configKey) {
    var reply = scripts.call(Script.CONFIG, List.of(configKey), request -> {});
    if (!reply.status().equals("OK")) {
      throw Refusals.of(reply, name, List.of(configKey));
    }
    return reply.fields(1);
  }
}
