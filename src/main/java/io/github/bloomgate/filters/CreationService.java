package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.StoredFilter;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
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

  /** Keys are not compared: each new one is another, and no client can ask for one. */
  private static final List<Difference.Field<FilterParameters>> COMPARED =
      List.of(
          new Difference.Field<>("hashScheme", parameters -> parameters.hashScheme().id()),
          new Difference.Field<>(
              "elementCodec", parameters -> parameters.hashScheme().elementCodec().orElse(null)),
          new Difference.Field<>("expectedInsertions", FilterParameters::expectedInsertions),
          new Difference.Field<>(
              "falsePositiveProbability", FilterParameters::falsePositiveProbability),
          new Difference.Field<>("bitSize", parameters -> parameters.shape().bitSize()),
          new Difference.Field<>(
              "numHashFunctions", parameters -> parameters.shape().numHashFunctions()),
          new Difference.Field<>("whenFull", FilterParameters::whenFull),
          new Difference.Field<>(
              "growthFactor", parameters -> parameters.growth().map(Growth::factor).orElse(null)),
          new Difference.Field<>(
              "maxSizeBytes",
              parameters -> parameters.growth().map(Growth::maxSizeBytes).orElse(null)),
          ofWindow("window.seconds", Window::seconds),
          ofWindow("window.insertions", Window::insertions),
          ofWindow("slices", Window::slices),
          ofWindow("refresh", Window::refresh),
          new Difference.Field<>("counting", parameters -> parameters.counting() ? true : null));

  private static Difference.Field<FilterParameters> ofWindow(
      String name, Function<Window, Object> part) {
    return new Difference.Field<>(
        name,
        parameters ->
            parameters.window().map(part).filter(value -> !value.equals(0L)).orElse(null));
  }

  private final DescriptionService descriptions;
  private final FilterStore filters;
  private final Catalogue catalogue;
  private final FilterMaking making;
  private final HashSecrets secrets;
  private final Capacity capacity;
  private final Clock clock;

  public CreationService(
      DescriptionService descriptions,
      FilterStore filters,
      Catalogue catalogue,
      FilterMaking making,
      HashSecrets secrets,
      Capacity capacity,
      Clock clock) {
    this.descriptions = descriptions;
    this.filters = filters;
    this.catalogue = catalogue;
    this.making = making;
    this.secrets = secrets;
    this.capacity = capacity;
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
  public CreateOutcome create(
      FilterName name, FilterParameters parameters, Optional<Instant> expiresAt, Quota quota) {
    return createOrFind(
        () -> Filter.create(name, keyed(parameters), clock.instant(), expiresAt), quota);
  }

  private FilterParameters keyed(FilterParameters parameters) {
    return parameters.withHashScheme(secrets.forContent(parameters.hashScheme()));
  }

  /**
   * Creates a filter, or finds one of the same parameters under its name.
   *
   * @param request what it shall be like; another generation each time it is asked
   * @param quota that of the key that asks
   */
  CreateOutcome createOrFind(Supplier<Filter> request, Quota quota) {
    var filter = request.get();
    for (var attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (create(filter, quota)) {
        log(filter);
        return new CreateOutcome(true, descriptions.describeChanged(filter.name()));
      }
      var existing = existing(filter);
      if (existing.isPresent()) {
        return new CreateOutcome(false, existing.get());
      }
      filter = request.get();
    }
    throw FilterErrors.changed(filter.name());
  }

  /** Creates a filter; false if its name is taken. */
  private boolean create(Filter filter, Quota quota) {
    var name = filter.name();
    try {
      var reserved = capacity.reserveNew(filter, quota);
      var created =
          reserved.isPresent()
              && capacity.make(
                  reserved.get(),
                  () -> {
                    catalogue.add(name);
                    return making.make(filter);
                  });
      if (created || reserved.isEmpty()) {
        // Somebody who saw the name before there was a filter may have taken it off.
        catalogue.add(name);
      }
      return created;
    } catch (BloomException failure) {
      if (failure.code().status() < SERVER_ERROR) {
        takeOffCatalogue(name);
      }
      throw failure;
    }
  }

  /** After a failure that makes it certain that nothing was made, and that is to be told. */
  private void takeOffCatalogue(FilterName name) {
    try {
      catalogue.remove(name);
    } catch (BloomException failure) {
      LOG.debugf("The name %s stays in the catalogue: %s", name, failure.getMessage());
    }
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

  /** The filter that has the name; empty if there is none by now. */
  private Optional<Description> existing(Filter requested) {
    var name = requested.name();
    var found = await(filters.find(name)).map(StoredFilter::filter);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    var differences = differences(found.get(), requested);
    if (!differences.isEmpty()) {
      throw FilterErrors.exists(name, differences);
    }
    HashSecrets.requireKey(found.get().parameters().hashScheme());
    try {
      return Optional.of(descriptions.describe(name));
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.FILTER_NOT_FOUND) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  private static List<Difference> differences(Filter existing, Filter requested) {
    var differences = Difference.between(existing.parameters(), requested.parameters(), COMPARED);
    var key = existing.adoptedKey().map(AdoptedKey::redisKey).orElse(null);
    var requestedKey = requested.adoptedKey().map(AdoptedKey::redisKey).orElse(null);
    if (!Objects.equals(key, requestedKey)) {
      differences.add(new Difference("redisKey", key, requestedKey));
    }
    return differences;
  }
}
