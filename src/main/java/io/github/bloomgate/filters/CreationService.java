package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;
import static java.util.stream.Collectors.joining;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.store.RawStore;
import io.github.bloomgate.store.SlotKeys;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** Creates filters. A new filter has no segments. */
@ApplicationScoped
public class CreationService {

  private static final Logger LOG = Logger.getLogger(CreationService.class);

  /** Keys are not compared: each new one is different, and clients cannot choose one. */
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
  private final LiveFilters live;
  private final FilterStore filters;
  private final RawStore raw;
  private final FilterStates states;
  private final Ledger ledger;
  private final MemoryLeft memory;
  private final Clock clock;

  public CreationService(
      DescriptionService descriptions,
      LiveFilters live,
      FilterStore filters,
      RawStore raw,
      FilterStates states,
      Ledger ledger,
      MemoryLeft memory,
      Clock clock) {
    this.descriptions = descriptions;
    this.live = live;
    this.filters = filters;
    this.raw = raw;
    this.states = states;
    this.ledger = ledger;
    this.memory = memory;
    this.clock = clock;
  }

  /**
   * Creates a filter, or finds one with the same parameters, whose expiry does not change.
   *
   * @param quota of the caller's key, which will own the filter
   * @throws BloomException FILTER_EXISTS if one exists with other parameters; SECRET_MISSING if an
   *     existing one is keyed with an unknown secret; INVALID_REQUEST if a new one must be keyed
   *     and there is no secret; FILTER_DAMAGED, WRONG_KEY_TYPE; STORE_FULL; LIMIT_EXCEEDED;
   *     FILTER_CHANGED if other clients keep creating and deleting it
   */
  public CreateOutcome create(
      FilterName name, FilterParameters parameters, Optional<Instant> expiresAt, Quota quota) {
    return create(name, parameters, Optional.empty(), expiresAt, quota);
  }

  /**
   * The same, if there is a key over the bitmap under it.
   *
   * @param key of a library's bitmap
   */
  CreateOutcome create(
      FilterName name,
      FilterParameters parameters,
      Optional<AdoptedKey> key,
      Optional<Instant> expiresAt,
      Quota quota) {
    var found = found(name, parameters, key, expiresAt, quota.owner());
    for (var attempts = live.attempts(name); ; ) {
      attempts.count();
      if (create(found, quota)) {
        log(found.live());
        // A library's bitmap has content and perhaps an expiry.
        return new CreateOutcome(
            true,
            descriptions.describeChanged(
                key.isPresent()
                    ? Changed.unread(name)
                    : new Changed(name, Optional.of(found), 0, List.of())));
      }
      var existing = existing(found.live());
      if (existing.isPresent()) {
        return new CreateOutcome(false, existing.get());
      }
    }
  }

  private FoundFilter found(
      FilterName name,
      FilterParameters parameters,
      Optional<AdoptedKey> key,
      Optional<Instant> expiresAt,
      String owner) {
    var plan = FilterPlan.of(parameters);
    var state = states.newState(name, plan, key, 1, clock.instant(), expiresAt, owner);
    return states.read(name, state, Optional.empty());
  }

  /** Creates a filter; false if its name is taken, or just was. */
  private boolean create(FoundFilter found, Quota quota) {
    var filter = found.live();
    if (live.remembered(filter.name()).isPresent()) {
      return false;
    }
    var entry = enter(filter, quota);
    if (entry.isEmpty()) {
      return false;
    }
    ChangeReply reply;
    try {
      var adopted = filter.adoptedBitmap();
      reply =
          adopted.isPresent()
              ? raw.adopt(
                  filter.name(), found.live().state(), adopted.get(), !ledger.limitsBytes(quota))
              : filters.create(filter.name(), found.live().state());
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.STORE_OUTCOME_UNKNOWN) {
        ledger.leave(filter.name(), entry.get());
      }
      throw failure;
    }
    if (reply instanceof ChangeReply.Done) {
      ledger.settle(filter.name(), entry, Optional.of(found));
      return true;
    }
    if (reply instanceof ChangeReply.Refused refused && refused.refusal() == Refusal.WRONG_TYPE) {
      ledger.leave(filter.name(), entry.get());
      throw FilterErrors.wrongKeyType(filter.name(), SlotKeys.state(filter.name()));
    }
    ledger.settle(filter.name(), entry, Optional.empty());
    return false;
  }

  /** Checks quotas and memory; empty if the filter exists. */
  private Optional<String> enter(Filter filter, Quota quota) {
    try {
      if (!filter.isAdopted()) {
        memory.require(filter.name(), filter.plan().layers());
      }
      return ledger.enter(filter, quota);
    } catch (BloomException refusal) {
      if (await(filters.find(filter.name(), false, List.of())) instanceof FindReply.Gone) {
        throw refusal;
      }
      return Optional.empty();
    }
  }

  private static void log(Filter filter) {
    LOG.infof(
        "%s filter %s for %d elements: %d bytes, %s",
        filter.isAdopted() ? "Adopted a bitmap as" : "Created",
        filter.name(),
        filter.parameters().expectedInsertions(),
        filter.sizeBytes(),
        filter.segmentsInWords());
  }

  /** The filter with the name, if it still exists. */
  private Optional<Description> existing(Filter requested) {
    var name = requested.name();
    var reply = await(filters.find(name, false, List.of()));
    if (reply instanceof FindReply.Unfinished unfinished) {
      filters.delete(name, unfinished.filter(), Optional.empty());
      return Optional.empty();
    }
    if (reply instanceof FindReply.Gone) {
      live.forget(name);
      return Optional.empty();
    }
    try {
      var existing = live.note(name, reply, false).live();
      var differences = differences(existing, requested);
      if (!differences.isEmpty()) {
        var fields = differences.stream().map(Difference::field).collect(joining(", "));
        throw BloomException.of(
            ErrorCode.FILTER_EXISTS,
            "The filter '%s' exists, but differs in %s. Use the existing filter, choose another name, or delete it first."
                .formatted(name, fields),
            new ProblemDetails.Differences(differences));
      }
      HashSecrets.requireKey(existing.parameters().hashScheme());
      // A failover may have lost its name, and clients create their filters at every start.
      ledger.check(List.of(existing));
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
