package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;
import static java.util.stream.Collectors.joining;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.store.RawStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/** Creates filters. A new filter has no segments. */
@ApplicationScoped
public class CreationService {

  private static final Logger LOG = Logger.getLogger(CreationService.class);

  /** The parameters that a rebuild can change, unless the filter is adopted. */
  private static final Set<String> REBUILT =
      Set.of(
          "hashScheme",
          "expectedInsertions",
          "falsePositiveProbability",
          "bitSize",
          "numHashFunctions",
          "whenFull",
          "growthFactor",
          "maxSizeBytes",
          "slices",
          "refresh");

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
          new Difference.Field<>("whenFull", FilterParameters::whenFull));

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
   * @param expiry not {@link NewExpiry#KEEP}
   * @param quota of the caller's key, which will own the filter
   * @throws BloomException FILTER_EXISTS if one exists with other parameters; SECRET_MISSING if an
   *     existing one is keyed with an unknown secret; INVALID_REQUEST if a new one must be keyed
   *     and there is no secret; FILTER_DAMAGED, WRONG_KEY_TYPE; STORE_FULL; LIMIT_EXCEEDED;
   *     FILTER_CHANGED if other clients keep creating and deleting it
   */
  public CreateOutcome create(
      FilterName name, FilterParameters parameters, NewExpiry expiry, Quota quota) {
    return create(name, parameters, Optional.empty(), expiry, quota);
  }

  /**
   * The same for a template, which keys that only add may use to create filters like it. It does
   * not expire when idle; filters created like it do.
   *
   * @throws BloomException FILTER_EXISTS also if one exists that is not a template
   */
  public CreateOutcome createTemplate(
      FilterName name, FilterParameters parameters, NewExpiry expiry, Quota quota) {
    var state =
        newState(name, parameters, Optional.empty(), clock.instant(), expiry, quota).asTemplate();
    return create(states.read(name, state, Optional.empty()), quota);
  }

  /**
   * Creates a filter, if there is a key over the bitmap under it.
   *
   * @param key of a library's bitmap
   */
  CreateOutcome create(
      FilterName name,
      FilterParameters parameters,
      Optional<AdoptedKey> key,
      NewExpiry expiry,
      Quota quota) {
    var state = newState(name, parameters, key, clock.instant(), expiry, quota);
    return create(states.read(name, state, Optional.empty()), quota);
  }

  private CreateOutcome create(Filter found, Quota quota) {
    var name = found.live().name();
    for (var attempts = new Attempts(live, name); ; ) {
      attempts.count();
      if (isCreated(found, quota)) {
        // A library's bitmap has content and perhaps an expiry.
        return new CreateOutcome(
            true,
            descriptions.describeChanged(
                found.live().isAdopted()
                    ? ChangedFilter.unread(name)
                    : new ChangedFilter(name, Optional.of(found), 0, List.of())));
      }
      var existing = existing(found.live());
      if (existing.isPresent()) {
        return new CreateOutcome(false, existing.get());
      }
    }
  }

  /**
   * Creates a filter like another one unless there is one, whatever its parameters.
   *
   * @throws BloomException as {@link #create}, but not FILTER_EXISTS or FILTER_DAMAGED
   */
  void createMissing(FilterName name, Generation like, MissingFilter missing, Instant now) {
    var found = planned(name, like, missing, now);
    var quota = missing.quota();
    for (var attempts = new Attempts(live, name); ; ) {
      attempts.count();
      if (isCreated(found, quota) || !(find(name) instanceof FindReply.Gone)) {
        return;
      }
    }
  }

  /**
   * A filter like another one that is not in Redis yet. Its plan is read back from the definition
   * that will be stored, so one that could not be read later is refused now; opening a rebuild does
   * the same.
   */
  Filter planned(FilterName name, Generation like, MissingFilter missing, Instant now) {
    var expiry =
        missing
            .lifetime()
            .map(lifetime -> NewExpiry.at(now.plus(lifetime)))
            .or(() -> like.idle().map(NewExpiry::whenIdle))
            .orElse(NewExpiry.NONE);
    var scheme = like.scheme();
    // A keyed scheme without a key gets a new one.
    var parameters =
        like.parameters()
            .withHashScheme(HashSchemes.named(scheme.id(), scheme.elementCodec()).orElseThrow());
    var state = newState(name, parameters, Optional.empty(), now, expiry, missing.quota());
    return states.read(name, state, Optional.empty());
  }

  private FilterState newState(
      FilterName name,
      FilterParameters parameters,
      Optional<AdoptedKey> key,
      Instant now,
      NewExpiry expiry,
      Quota quota) {
    var plan = FilterPlan.of(parameters);
    return states
        .newState(name, plan, key, 1, now, expiry.from(now), quota.owner())
        .withIdle(expiry.idle());
  }

  /** Creates a filter; false if its name is taken, or just was. */
  private boolean isCreated(Filter found, Quota quota) {
    var generation = found.live();
    if (live.remembered(generation.name()).isPresent()) {
      return false;
    }
    var entry = enter(generation, quota);
    if (entry.isEmpty()) {
      return false;
    }
    ChangeReply reply;
    try {
      var adopted = generation.adoptedBitmap();
      reply =
          adopted.isPresent()
              ? raw.adopt(
                  generation.name(),
                  found.live().state(),
                  adopted.get(),
                  !ledger.limitsBytes(quota))
              : filters.create(generation.name(), found.live().state());
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.STORE_OUTCOME_UNKNOWN) {
        ledger.leave(generation.name(), entry.get());
      }
      throw failure;
    }
    if (reply instanceof ChangeReply.Done) {
      ledger.settle(generation.name(), entry, Optional.of(found));
      log(generation);
      return true;
    }
    if (reply instanceof ChangeReply.Refused refused && refused.refusal() == Refusal.WRONG_TYPE) {
      ledger.leave(generation.name(), entry.get());
      throw FilterErrors.wrongKeyType(generation.name(), Keys.state(generation.name()));
    }
    ledger.settle(generation.name(), entry, Optional.empty());
    return false;
  }

  /** Checks quotas and memory; empty if the filter exists. */
  private Optional<String> enter(Generation generation, Quota quota) {
    try {
      if (!generation.isAdopted()) {
        memory.require(generation.name(), generation.plan().layers());
      }
      return ledger.enter(generation, quota);
    } catch (BloomException refusal) {
      if (await(filters.find(generation.name(), false, List.of())) instanceof FindReply.Gone) {
        throw refusal;
      }
      return Optional.empty();
    }
  }

  private static void log(Generation generation) {
    LOG.infof(
        "%s filter %s for %d elements: %d bytes, %s",
        generation.isAdopted() ? "Adopted a bitmap as" : "Created",
        generation.name(),
        generation.parameters().expectedInsertions(),
        generation.sizeBytes(),
        generation.segmentsInWords());
  }

  /** Reads a filter, and finishes its deletion if that was cut off. */
  private FindReply find(FilterName name) {
    var reply = await(filters.find(name, false, List.of()));
    if (reply instanceof FindReply.Unfinished unfinished) {
      filters.delete(name, unfinished.filter(), Optional.empty());
      reply = new FindReply.Gone();
    }
    if (reply instanceof FindReply.Gone) {
      live.forget(name);
    }
    return reply;
  }

  /** The filter with the name, if it still exists. */
  private Optional<Description> existing(Generation requested) {
    var name = requested.name();
    var reply = find(name);
    if (reply instanceof FindReply.Gone) {
      return Optional.empty();
    }
    try {
      var existing = live.note(name, reply, false).live();
      var differences = differences(existing, requested);
      if (!differences.isEmpty()) {
        var fields = differences.stream().map(Difference::field).collect(joining(", "));
        throw BloomException.of(
            ErrorCode.FILTER_EXISTS,
            "The filter '%s' exists, but differs in %s. Use the existing filter, choose another name, or %s."
                .formatted(name, fields, change(existing, differences)),
            new ProblemDetails.Differences(differences));
      }
      HashSecrets.requireKey(existing.parameters().hashScheme());
      // A failover may have lost its name, and clients create their filters at every start.
      ledger.check(List.of(existing));
      return Optional.of(descriptions.describe(name, Client.SERVICE));
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.FILTER_NOT_FOUND) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /** How the existing filter can get the requested parameters. */
  private static String change(Generation existing, List<Difference> differences) {
    var canRebuild =
        !existing.isAdopted()
            && differences.stream().map(Difference::field).allMatch(REBUILT::contains);
    return canRebuild
        ? "rebuild it with these parameters: POST /v1/filters/%s/rebuild".formatted(existing.name())
        : "delete it first";
  }

  private static List<Difference> differences(Generation existing, Generation requested) {
    var differences = Difference.between(existing.parameters(), requested.parameters(), COMPARED);
    differences.addAll(Difference.between(existing.kind().fields(), requested.kind().fields()));
    var key = existing.adoptedKey().map(AdoptedKey::redisKey).orElse(null);
    var requestedKey = requested.adoptedKey().map(AdoptedKey::redisKey).orElse(null);
    if (!Objects.equals(key, requestedKey)) {
      differences.add(new Difference("redisKey", key, requestedKey));
    }
    if (requested.isTemplate() && !existing.isTemplate()) {
      differences.add(new Difference("template", false, true));
    }
    return differences;
  }
}
