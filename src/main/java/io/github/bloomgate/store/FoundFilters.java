package io.github.bloomgate.store;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads many filters, several in one call where one Redis has all keys. */
@Singleton
public class FoundFilters {

  /** Redis is done with so many in a millisecond or two. */
  public static final int AT_ONCE = 50;

  private static final String BETWEEN = "\0";

  private final FilterScripts scripts;
  private final HashSecrets secrets;

  FoundFilters(FilterScripts scripts, HashSecrets secrets) {
    this.scripts = scripts;
    this.secrets = secrets;
  }

  /** What {@link #read} takes, of all names; nothing where no call reaches several filters. */
  public List<List<FilterName>> parts(List<FilterName> names) {
    var parts = new ArrayList<List<FilterName>>();
    for (var first = 0; first < names.size() && !scripts.isSpread(); first += AT_ONCE) {
      parts.add(names.subList(first, Math.min(names.size(), first + AT_ONCE)));
    }
    return parts;
  }

  /**
   * Reads filters.
   *
   * @return those that are as most are; {@link FilterStore#find} tells about the others: which a
   *     library knows, which are gone or which cannot be read
   * @throws BloomException STORE_UNAVAILABLE, FILTER_NOT_READY
   */
  public Uni<Map<FilterName, StoredFilter>> read(List<FilterName> names) {
    var keys = names.stream().flatMap(name -> Keys.ofFound(name).stream()).toList();
    var all =
        scripts
            .run(Script.GLANCE, keys, request -> {})
            .map(reply -> found(names, reply.requireOk()));
    return scripts.unlessSpread(all, () -> Uni.createFrom().item(Map.of()));
  }

  private Map<FilterName, StoredFilter> found(List<FilterName> names, ScriptReply reply) {
    var found = new HashMap<FilterName, StoredFilter>();
    for (var i = 0; i < names.size(); i++) {
      var name = names.get(i);
      var text = reply.text(i + 1);
      if (!text.isEmpty()) {
        readable(name, text.split(BETWEEN, -1)).ifPresent(filter -> found.put(name, filter));
      }
    }
    return found;
  }

  /** Empty if there are more parts than told, so that one of them is none of ours. */
  private Optional<StoredFilter> readable(FilterName name, String[] parts) {
    var ofState = Integer.parseInt(parts[0]);
    var ofSource = Integer.parseInt(parts[1]);
    if (parts.length != 2 + ofState + ofSource) {
      return Optional.empty();
    }
    try {
      var state = fields(parts, 2, ofState);
      var source = fields(parts, 2 + ofState, ofSource);
      return Optional.of(StoredFilter.read(name, state, source, secrets));
    } catch (BloomException damaged) {
      return Optional.empty();
    }
  }

  private static Map<String, String> fields(String[] parts, int first, int count) {
    var fields = new HashMap<String, String>(count);
    for (var i = first; i < first + count; i += 2) {
      fields.put(parts[i], parts[i + 1]);
    }
    return fields;
  }
}
