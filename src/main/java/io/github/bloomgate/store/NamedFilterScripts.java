package io.github.bloomgate.store;

import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs scripts on filters of which only the name is known, and so not whether their bits are under
 * a library's key. The script itself tells, when it was given another one.
 */
final class NamedFilterScripts {

  /** Each attempt but the first two means that somebody replaced the filter a moment ago. */
  private static final int MAX_ATTEMPTS = 5;

  private final FilterScripts scripts;

  NamedFilterScripts(FilterScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * Runs a script on the keys of a filter.
   *
   * @param keys as they are if the filter has adopted nothing
   */
  Uni<Ran> run(Script script, FilterName name, List<String> keys, Consumer<Request> arguments) {
    return run(script, name, keys, arguments, Optional.empty(), 1);
  }

  private Uni<Ran> run(
      Script script,
      FilterName name,
      List<String> keys,
      Consumer<Request> arguments,
      Optional<AdoptedKey> adopted,
      int attempt) {
    var actual = Keys.withAdopted(keys, adopted);
    return scripts
        .run(script, actual, arguments)
        .chain(
            reply -> {
              if (!reply.status().equals("ELSEWHERE")) {
                return Uni.createFrom().item(new Ran(reply, name, actual));
              }
              if (attempt == MAX_ATTEMPTS) {
                throw FilterErrors.changed(name);
              }
              return run(script, name, keys, arguments, elsewhere(reply), attempt + 1);
            });
  }

  private static Optional<AdoptedKey> elsewhere(ScriptReply reply) {
    return nonEmpty(reply.text(1)).map(key -> new AdoptedKey(key, nonEmpty(reply.text(2))));
  }

  private static Optional<String> nonEmpty(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  /** What a script answered, and which keys it was run on. */
  record Ran(ScriptReply reply, FilterName name, List<String> keys) {

    /** Whether there was a filter; throws the refusal if it was refused. */
    boolean succeeded() {
      return switch (reply.status()) {
        case "OK" -> true;
        case "GONE" -> false;
        default -> throw refusal();
      };
    }

    RuntimeException refusal() {
      return Refusals.of(reply, name, keys);
    }
  }
}
