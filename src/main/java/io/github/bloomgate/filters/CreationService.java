package io.github.bloomgate.filters;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.UsageCount;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Creates filters. A filter exists from one script on; with several segments it takes elements when
 * the last of them is made, see {@link Reconciler}.
 */
@ApplicationScoped
public class CreationService {

  private static final Logger LOG = Logger.getLogger(CreationService.class);

  private static final int MAX_ATTEMPTS = 5;
  private static final int SERVER_ERROR = 500;
  private static final Uni<Void> NOTHING = Uni.createFrom().voidItem();

  private final DescriptionService descriptions;
  private final FilterStore filters;
  private final Catalogue catalogue;
  private final Reconciler reconciler;
  private final SegmentMaking making;
  private final HashSecrets secrets;
  private final Capacity capacity;
  private final UsageCount usage;
  private final Clock clock;

  public CreationService(
      DescriptionService descriptions,
      FilterStore filters,
      Catalogue catalogue,
      Reconciler reconciler,
      SegmentMaking making,
      HashSecrets secrets,
      Capacity capacity,
      UsageCount usage,
      Clock clock) {
    this.descriptions = descriptions;
    this.filters = filters;
    this.catalogue = catalogue;
    this.reconciler = reconciler;
    this.making = making;
    this.secrets = secrets;
    this.capacity = capacity;
    this.usage = usage;
    this.clock = clock;
  }

  /**
   * Creates a filter, or finds one of the same parameters. The deadline of one that exists is left
   * as it is.
   *
   * @param quota that of the key that asks
   * @throws BloomException FILTER_EXISTS if one exists with other parameters, SECRET_MISSING if one
   *     of the same is keyed with a secret that is not known, INVALID_REQUEST if it shall be keyed
   *     and there is no secret, FILTER_DAMAGED if parts of one are in the way, STORE_FULL if Redis
   *     has no room for it, LIMIT_EXCEEDED if a quota allows no more, FILTER_CHANGED if others
   *     delete it at once
   */
  public Uni<CreateOutcome> create(
      FilterName name, FilterParameters parameters, Optional<Instant> expiresAt, Quota quota) {
    return createOrFind(
        () -> Filter.create(name, keyed(parameters), clock.instant(), expiresAt),
        filter -> filter.segments() > 1 ? createSeveral(filter) : filters.create(filter),
        quota);
  }

  private FilterParameters keyed(FilterParameters parameters) {
    return parameters.withHashScheme(secrets.forContent(parameters.hashScheme()));
  }

  /**
   * Creates a filter by a script, or finds one of the same parameters under its name.
   *
   * @param request what it shall be like; another generation each time it is asked
   * @param script makes it; answers false if the name is taken
   * @param quota that of the key that asks
   */
  Uni<CreateOutcome> createOrFind(
      Supplier<Filter> request, Function<Filter, Uni<Boolean>> script, Quota quota) {
    return createOrFind(request, script, quota, 1);
  }

  private Uni<CreateOutcome> createOrFind(
      Supplier<Filter> request, Function<Filter, Uni<Boolean>> script, Quota quota, int attempt) {
    var filter = request.get();
    var name = filter.name();
    if (attempt > MAX_ATTEMPTS) {
      return Uni.createFrom().failure(FilterErrors.changed(name));
    }
    return capacity
        .makeNew(
            filter,
            quota,
            () -> catalogue.add(name).chain(() -> script.apply(filter)),
            created -> created,
            () -> catalogue.add(name).replaceWith(false))
        .onFailure(CreationService::isRefused)
        .call(() -> catalogue.remove(name).onFailure().recoverWithNull())
        // Somebody who saw the name before there was a filter may have taken it off the catalogue.
        .call(created -> created ? catalogue.add(name) : NOTHING)
        .chain(
            created -> {
              if (created) {
                log(filter);
                return descriptions
                    .describeChanged(name)
                    .map(description -> new CreateOutcome(true, description));
              }
              return existing(filter)
                  .chain(
                      found ->
                          found.isPresent()
                              ? Uni.createFrom().item(found.get())
                              : createOrFind(request, script, quota, attempt + 1));
            });
  }

  /** Whether it is certain that nothing was made. */
  private static boolean isRefused(Throwable failure) {
    return failure instanceof BloomException error && error.code().status() < SERVER_ERROR;
  }

  private static void log(Filter filter) {
    LOG.infof(
        "%s filter %s for %d elements: %d bytes in %d segments",
        filter.isAdopted() ? "Adopted a bitmap as" : "Created",
        filter.name(),
        filter.parameters().expectedInsertions(),
        filter.sizeBytes(),
        filter.segments());
  }

  private Uni<Boolean> createSeveral(Filter filter) {
    return reconciler
        .intend(filter.name())
        .chain(
            intent ->
                filters
                    .create(filter)
                    .call(
                        created -> created ? making.make(intent, () -> discard(filter)) : NOTHING));
  }

  /** Deletes what was made of a filter, but never another that bears its name by now. */
  private Uni<Void> discard(Filter filter) {
    var name = filter.name();
    return reconciler
        .follow(name, () -> filters.delete(filter))
        .chain(() -> catalogue.remove(name))
        .chain(() -> usage.reconcile(name));
  }

  private Uni<Optional<CreateOutcome>> existing(Filter requested) {
    var name = requested.name();
    return filters
        .find(name)
        .chain(
            found -> {
              if (found.isEmpty()) {
                return Uni.createFrom().item(Optional.empty());
              }
              var differences = differences(found.get().filter(), requested);
              if (!differences.isEmpty()) {
                throw FilterErrors.exists(name, differences);
              }
              HashSecrets.requireKey(found.get().filter().parameters().hashScheme());
              return descriptions
                  .describe(name)
                  .map(description -> Optional.of(new CreateOutcome(false, description)))
                  .onFailure(DescriptionService::isNotFound)
                  .recoverWithItem(Optional.empty());
            });
  }

  private static List<Difference> differences(Filter existing, Filter requested) {
    var differences = differences(existing.parameters(), requested.parameters());
    var key = existing.adoptedKey().map(AdoptedKey::redisKey).orElse(null);
    var requestedKey = requested.adoptedKey().map(AdoptedKey::redisKey).orElse(null);
    if (!Objects.equals(key, requestedKey)) {
      differences.add(new Difference("redisKey", key, requestedKey));
    }
    return differences;
  }

  /** Keys are not compared: each new one is another, and no client can ask for one. */
  private static List<Difference> differences(FilterParameters one, FilterParameters other) {
    var differences = new ArrayList<Difference>();
    compare(differences, "hashScheme", one, other, parameters -> parameters.hashScheme().id());
    compare(
        differences,
        "elementCodec",
        one,
        other,
        parameters -> parameters.hashScheme().elementCodec().orElse(null));
    compare(differences, "expectedInsertions", one, other, FilterParameters::expectedInsertions);
    compare(
        differences,
        "falsePositiveProbability",
        one,
        other,
        FilterParameters::falsePositiveProbability);
    compare(differences, "bitSize", one, other, parameters -> parameters.shape().bitSize());
    compare(
        differences,
        "numHashFunctions",
        one,
        other,
        parameters -> parameters.shape().numHashFunctions());
    compare(differences, "whenFull", one, other, FilterParameters::whenFull);
    compare(
        differences,
        "growthFactor",
        one,
        other,
        parameters -> parameters.growth().map(Growth::factor).orElse(null));
    compare(
        differences,
        "maxSizeBytes",
        one,
        other,
        parameters -> parameters.growth().map(Growth::maxSizeBytes).orElse(null));
    return differences;
  }

  private static void compare(
      List<Difference> differences,
      String field,
      FilterParameters existing,
      FilterParameters requested,
      Function<FilterParameters, Object> value) {
    if (!Objects.equals(value.apply(existing), value.apply(requested))) {
      differences.add(new Difference(field, value.apply(existing), value.apply(requested)));
    }
  }
}
