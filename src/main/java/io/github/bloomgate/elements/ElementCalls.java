package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.IdleFilters;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.threads.Joined;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Sends element requests to the rounds, and again if the filter has changed or must grow. */
@ApplicationScoped
public class ElementCalls {

  private final LiveFilters live;
  private final IdleFilters idle;
  private final Rounds rounds;
  private final LayerOpener layers;
  private final MemoryBudget memory;

  public ElementCalls(
      LiveFilters live, IdleFilters idle, Rounds rounds, LayerOpener layers, MemoryBudget memory) {
    this.live = live;
    this.idle = idle;
    this.rounds = rounds;
    this.layers = layers;
    this.memory = memory;
  }

  /**
   * Performs an operation on elements of one or more filters, in the same round. A filter that
   * changed or must grow continues alone. Adds also go to the next generation.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   * @return a request for each filter in order, with all its answers or its failure:
   *     FILTER_NOT_FOUND; FILTER_CHANGED if the filter changed during every attempt; LIMIT_EXCEEDED
   *     and STORE_FULL if it cannot grow; all of {@link ElementRequest} and {@link Rounds#send}.
   *     Fails in the same way if a filter cannot be read, or cannot take an element; with
   *     LIMIT_EXCEEDED if the elements take more memory than there is, OVERLOADED if others use it.
   *     Nothing was sent then
   */
  Uni<List<ElementRequest>> send(
      Kind kind,
      List<FilterName> names,
      List<byte[]> elements,
      Durability durability,
      boolean mayBeMissing,
      Client client) {
    var call = new ElementCall(kind, elements, durability, client, Optional.empty());
    return send(call, names, mayBeMissing);
  }

  /** The only request of a call to one filter; throws its failure. */
  static ElementRequest only(List<ElementRequest> requests) {
    var request = requests.get(0);
    request.throwFailure();
    return request;
  }

  /**
   * Adds elements only to the next generation.
   *
   * @param incarnation of the generation; fails with REBUILD_NOT_FOUND if another one or none is
   *     open
   */
  public Uni<ElementRequest> load(
      FilterName name, String incarnation, List<byte[]> elements, Client client) {
    var call =
        new ElementCall(Kind.ADD, elements, Durability.PRIMARY, client, Optional.of(incarnation));
    return send(call, List.of(name), false)
        .map(ElementCalls::only)
        .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
        .transform(gone -> RebuildErrors.notFound(name));
  }

  /**
   * Checks that filters can take elements, without Redis.
   *
   * @return fails with INVALID_REQUEST, SECRET_MISSING, LIMIT_EXCEEDED or OVERLOADED, as {@link
   *     #send}
   */
  Uni<Void> check(List<byte[]> elements, List<Filter> filters, Client client) {
    var call = new ElementCall(Kind.ADD, elements, Durability.PRIMARY, client, Optional.empty());
    return holding(call, filters, () -> hash(call, filters).replaceWithVoid());
  }

  private Uni<List<ElementRequest>> send(
      ElementCall call, List<FilterName> names, boolean mayBeMissing) {
    return live.rememberedOrFound(names, mayBeMissing, call.client())
        .chain(
            found ->
                begin(call, found)
                    .onFailure(ElementCalls::isRefusal)
                    .recoverWithUni(
                        () ->
                            live.find(names, mayBeMissing, call.client())
                                .chain(now -> begin(call, now))));
  }

  private Uni<List<ElementRequest>> begin(ElementCall call, List<Filter> found) {
    return found.isEmpty()
        ? Uni.createFrom().item(List.of())
        : holding(call, found, () -> hash(call, found).chain(requests -> send(requests, 1)));
  }

  /** Does the work of a call with memory for it, unless its client leaves before. */
  <T> Uni<T> holding(ElementCall call, List<Filter> found, Supplier<Uni<T>> work) {
    var bytes = call.memory(found);
    if (bytes > memory.most()) {
      return Uni.createFrom().failure(call.tooLarge(found, bytes, memory.most()));
    }
    return memory.holding(
        MemoryBudget.Use.WORK,
        call.client().id(),
        bytes,
        () -> {
          call.client().requireThere();
          return work.get();
        });
  }

  /**
   * Whether a filter cannot take elements or an operation. A remembered filter may be outdated, so
   * it is then read.
   */
  static boolean isRefusal(Throwable failure) {
    return ErrorCode.INVALID_REQUEST.isOf(failure)
        || ErrorCode.SECRET_MISSING.isOf(failure)
        || ErrorCode.REBUILD_NOT_FOUND.isOf(failure);
  }

  static Uni<List<ElementRequest>> hash(ElementCall call, List<Filter> found) {
    var requests =
        Uni.createFrom()
            .item(() -> found.stream().map(filter -> new ElementRequest(call, filter)).toList());
    return call.takesLong(found) ? requests.runSubscriptionOn(OwnContext.workers()) : requests;
  }

  private Uni<List<ElementRequest>> send(List<ElementRequest> requests, int attempt) {
    return use(requests).chain(() -> rounds.send(requests)).chain(() -> finish(requests, attempt));
  }

  /** Requests that are sent together are of the same kind. */
  private Uni<Void> use(List<ElementRequest> requests) {
    var filters = requests.stream().map(ElementRequest::filter).toList();
    return idle.use(filters, requests.get(0).kind().changes());
  }

  private Uni<List<ElementRequest>> finish(List<ElementRequest> requests, int attempt) {
    for (var request : requests) {
      if (!request.isDone()) {
        return Joined.all(requests.stream().map(some -> goOn(some, attempt)).toList())
            .replaceWith(requests);
      }
    }
    return Uni.createFrom().item(requests);
  }

  /** Sends a request again, or ends it with its failure, which does not affect the others. */
  private Uni<List<ElementRequest>> goOn(ElementRequest request, int attempt) {
    return Uni.createFrom()
        .deferred(
            () ->
                switch (request.result()) {
                  case DONE -> Uni.createFrom().item(List.of(request));
                  case FULL -> grow(request).chain(now -> again(request, now, 0));
                  case OUTDATED ->
                      find(request)
                          .chain(now -> again(request, now, request.hasGrown(now) ? 0 : attempt));
                })
        .onFailure()
        .invoke(failure -> request.end(RoundFailures.known(failure)))
        .onFailure()
        .recoverWithItem(List.of());
  }

  /** If the filter is gone, so are the changes. */
  private Uni<Filter> find(ElementRequest request) {
    return live.find(request.name())
        .onFailure(failure -> !ErrorCode.FILTER_NOT_FOUND.isOf(failure))
        .transform(failure -> request.adapted(RoundFailures.known(failure)));
  }

  private Uni<Filter> grow(ElementRequest request) {
    return Uni.createFrom().item(() -> growAll(request)).runSubscriptionOn(OwnContext.workers());
  }

  private Filter growAll(ElementRequest request) {
    request.parts().stream()
        .filter(ElementPart::needsLayer)
        .forEach(part -> layers.grow(request.name(), part.generation()));
    return live.get(request.name());
  }

  private Uni<List<ElementRequest>> again(ElementRequest request, Filter now, int attempt) {
    if (attempt == Attempts.MAX) {
      return Uni.createFrom().failure(request.adapted(FilterErrors.changed(request.name())));
    }
    return Uni.createFrom()
        .item(() -> request.follow(now))
        .onFailure(ErrorCode.SECRET_MISSING::isOf)
        .transform(failure -> request.adapted(RoundFailures.known(failure)))
        .chain(
            isSame -> {
              if (!isSame) {
                throw FilterErrors.changed(request.name());
              }
              // There may be nothing left to ask.
              return request.isDecided()
                  ? Uni.createFrom().item(List.of(request))
                  : send(List.of(request), attempt + 1)
                      .onFailure(failure -> !ErrorCode.FILTER_NOT_FOUND.isOf(failure))
                      .transform(failure -> request.adapted(RoundFailures.known(failure)));
            });
  }
}
