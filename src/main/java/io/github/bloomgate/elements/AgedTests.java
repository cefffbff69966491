package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.IdleFilters;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StoreErrors;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Tests whose answers may have an age: from copies that are young enough, otherwise by Redis. */
@Singleton
public class AgedTests {

  private final ElementCalls calls;
  private final IdleFilters idle;
  private final Rounds rounds;
  private final Watches watches;

  AgedTests(ElementCalls calls, IdleFilters idle, Rounds rounds, Watches watches) {
    this.calls = calls;
    this.idle = idle;
    this.rounds = rounds;
    this.watches = watches;
  }

  /**
   * The answers of a test.
   *
   * @param age the answers lack no element whose add was acknowledged more than this ago
   */
  record Tested(List<ElementRequest> requests, Duration age) {}

  /**
   * Tests elements against filters, which are watched from then on.
   *
   * @return fails as {@link ElementCalls#send} and {@link Watches#watch}
   */
  Uni<Tested> send(
      List<FilterName> names,
      List<byte[]> elements,
      Duration maxAge,
      boolean mayBeMissing,
      Client client) {
    var call = new ElementCall(Kind.TEST, elements, Durability.PRIMARY, client, Optional.empty());
    return inCopies(call, names, maxAge)
        .chain(
            answers ->
                answers
                    .map(found -> Uni.createFrom().item(found))
                    .orElseGet(() -> inRedis(names, elements, mayBeMissing, client)));
  }

  private Uni<Optional<Tested>> inCopies(
      ElementCall call, List<FilterName> names, Duration maxAge) {
    var watched = watches.find(names);
    if (watched.isEmpty()) {
      return Uni.createFrom().item(Optional.empty());
    }
    var filters = watched.get();
    return calls
        .holding(
            call,
            filters,
            () ->
                ElementCalls.hash(call, filters)
                    .chain(
                        requests ->
                            rounds
                                .test(requests, maxAge)
                                .map(asOf -> asOf.map(some -> new Tested(requests, some.age())))))
        .invoke(answers -> answers.ifPresent(ignored -> use(filters)))
        .onFailure(ElementCalls::isRefusal)
        .recoverWithItem(Optional.empty());
  }

  /** Postpones the expiry of filters that expire when idle. The answer does not wait for Redis. */
  private void use(List<Filter> filters) {
    idle.use(filters, false).subscribe().with(ignored -> {});
  }

  private Uni<Tested> inRedis(
      List<FilterName> names, List<byte[]> elements, boolean mayBeMissing, Client client) {
    var begun = Moment.now();
    // With the same call to Redis.
    watches.refresh(names);
    return calls
        .send(Kind.TEST, names, elements, Durability.PRIMARY, mayBeMissing, client)
        .invoke(
            requests ->
                requests.stream()
                    .filter(request -> request.failure() == null)
                    .forEach(request -> watches.watch(request.filter())))
        .map(requests -> new Tested(requests, begun.age()));
  }

  /** Explains why a test got no answer while Redis could not be reached. */
  BloomException unavailable(List<FilterName> names, Duration maxAge, Throwable failure) {
    var ages = names.stream().map(this::state).toList();
    return StoreErrors.unavailable(
        "%s %s; maxAge is %s s."
            .formatted(failure.getMessage(), String.join(", ", ages), seconds(maxAge)),
        failure);
  }

  private String state(FilterName name) {
    return watches
        .watched(name)
        .flatMap(Watched::age)
        .map(age -> "The copy of the filter '%s' is %s s old".formatted(name, seconds(age)))
        .orElseGet(() -> "There is no complete copy of the filter '%s'".formatted(name));
  }

  private static String seconds(Duration some) {
    return Double.toString(some.toMillis() / 1e3);
  }
}
