package io.github.bloomgate.error;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;

/**
 * The one exception of the domain: a code to switch on, a sentence to read, members to act on.
 *
 * <p>The message goes to the client as it is, so it names values and limits, says what to do, and
 * never holds an element or anything internal. Built by the static factories only, so that every
 * text has one home.
 */
public final class BloomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final String reason;
  private final transient Facts facts;

  private BloomException(ErrorCode code, String detail, Facts facts, Throwable cause) {
    this(code, detail, "", facts, cause);
  }

  private BloomException(
      ErrorCode code, String reason, String consequence, Facts facts, Throwable cause) {
    super(consequence.isEmpty() ? reason : reason + " " + consequence, cause);
    this.code = code;
    this.reason = reason;
    this.facts = facts;
  }

  private static BloomException of(ErrorCode code, String detail) {
    return new BloomException(code, detail, null, null);
  }

  /** What kind of failure this is. */
  public ErrorCode code() {
    return code;
  }

  /**
   * What a client needs beyond the message to act: the violations, the differences, the count
   * applied; empty for most codes.
   */
  public Optional<Facts> facts() {
    return Optional.ofNullable(facts);
  }

  /**
   * A value of the request is not acceptable; the detail names the value, the limit, the remedy.
   */
  public static BloomException invalidRequest(String detail) {
    return of(ErrorCode.INVALID_REQUEST, detail);
  }

  /** One step would have to change keys that are in different slots of a Redis Cluster. */
  public static BloomException severalSlots() {
    return invalidRequest(
        "Redis is a cluster, and the keys of the request are in different slots, so that no single step can change them. Adopt a key under its own name, or under the part of it in braces; instead of renaming a filter, copy and delete it.");
  }

  /**
   * A change was made in the primary, and fewer replicas have confirmed it in time than were to.
   */
  public static BloomException notReplicated(int confirmed, int required) {
    return of(
        ErrorCode.NOT_REPLICATED,
        "The change was made, but %d instead of %d replicas of Redis confirmed it in time, so it may be lost if Redis fails over. Repeat the request when there are enough replicas; what was added already is answered as known then."
            .formatted(confirmed, required));
  }

  /** Several values of the request are not acceptable, each told with its place. */
  public static BloomException invalidRequest(String detail, List<Violation> violations) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST, detail, new Facts.Violations(violations), null);
  }

  /**
   * The filter's hash scheme has no bits for an element.
   *
   * @param index of the element within the request, from 0
   * @param reason completes "the element ..."; never holds any of the element
   */
  public static BloomException unsupportedElement(int index, String reason) {
    return of(
        ErrorCode.INVALID_REQUEST,
        "The element at index %d %s. Nothing was changed; correct it and repeat the request."
            .formatted(index, reason));
  }

  /** The name cannot be a filter's. It is not repeated: it may be anything, of any length. */
  public static BloomException invalidName() {
    return of(
        ErrorCode.INVALID_REQUEST,
        "A filter name has 1 to 128 characters of A-Z a-z 0-9 . _ ~ : @ - and begins with a letter"
            + " or digit. Choose such a name.");
  }

  /** The request has no key, and the service asks for one. */
  public static BloomException missingKey() {
    return of(
        ErrorCode.UNAUTHENTICATED,
        "The request has no API key. Send it as Authorization: Bearer <key>, or as the password of"
            + " Basic.");
  }

  /** What the request has is none of the keys; which part is wrong is not told. */
  public static BloomException unknownKey() {
    return of(
        ErrorCode.UNAUTHENTICATED,
        "The Authorization header holds no known API key. Send one as Bearer <key>, or as the"
            + " password of Basic; ask the operator if it was replaced.");
  }

  /**
   * The key may not do this.
   *
   * @param key its id
   */
  public static BloomException roleNeeded(Object key, String role, String needed) {
    return of(
        ErrorCode.FORBIDDEN,
        "This call needs the role %s; the key '%s' has the role %s. Use another key."
            .formatted(needed, key, role));
  }

  /**
   * The key may not use a name of the request, whether there is such a filter or not.
   *
   * @param key its id
   * @param prefixes what the names it may use begin with
   */
  public static BloomException nameForbidden(Object key, Object prefixes) {
    return of(
        ErrorCode.FORBIDDEN,
        "The key '%s' is limited to names that begin with %s, and this call is about others. Use another key."
            .formatted(key, prefixes));
  }

  /** There are no keys, and the client is not on this machine, or a proxy hides where it is. */
  public static BloomException notLocal(String remedy) {
    return of(
        ErrorCode.FORBIDDEN,
        "No API key is configured, so only clients on the machine of the service are answered, by"
            + " a loopback address or localhost and not through a proxy. "
            + remedy
            + ".");
  }

  /** A page of another site made a browser send the request. */
  public static BloomException otherOrigin() {
    return of(
        ErrorCode.FORBIDDEN,
        "The request comes from a page of another site. Send it from the service's own pages, or"
            + " with a Bearer key from a program; a proxy that asks the gate must not pass on the"
            + " Origin and Sec-Fetch headers of its clients.");
  }

  /** There is no filter of this name. */
  public static BloomException filterNotFound(Object name) {
    return of(
        ErrorCode.FILTER_NOT_FOUND,
        "There is no filter '%s': it was never created, was deleted or has expired. Create it with PUT /v1/filters/%s."
            .formatted(name, name));
  }

  /** The name is taken by a filter with other parameters. */
  public static BloomException filterExists(Object name, List<Difference> differences) {
    return new BloomException(
        ErrorCode.FILTER_EXISTS,
        "A filter '%s' exists with another %s. Use it as it is, choose another name, or delete it first."
            .formatted(name, differences.stream().map(Difference::field).collect(joining(", "))),
        new Facts.Differences(differences),
        null);
  }

  /** The name that a filter shall get is taken. */
  public static BloomException nameTaken(Object name) {
    return of(
        ErrorCode.FILTER_EXISTS,
        "A filter '%s' exists. Choose another name, or send \"replace\": true to replace it."
            .formatted(name));
  }

  /** The filter was replaced again and again while the request tried to follow. */
  public static BloomException filterChanged(Object name) {
    return of(
        ErrorCode.FILTER_CHANGED,
        "The filter '%s' was changed by others each time this request was tried. Repeat it."
            .formatted(name));
  }

  /**
   * A new element would exceed what the filter was created for.
   *
   * @param inOrder whether the elements applied are the first ones
   */
  public static BloomException filterFull(
      Object name, long expectedInsertions, long appliedCount, long elementCount, boolean inOrder) {
    return new BloomException(
        ErrorCode.FILTER_FULL,
        "The filter '%s' holds its %d expected insertions and rejects new elements. Create a larger filter, or one with \"whenFull\": \"accept\"."
            .formatted(name, expectedInsertions),
        "%d of the %d elements of this request were applied.".formatted(appliedCount, elementCount),
        new Facts.Applied(appliedCount, inOrder),
        null);
  }

  /**
   * The bits of an element are not the same in two filters.
   *
   * @param target the filter that was to hold the union
   * @param other the filter that was to be merged into it
   * @param differences target's values as existing, the other's as requested
   */
  public static BloomException incompatibleFilters(
      Object target, Object other, List<Difference> differences) {
    return new BloomException(
        ErrorCode.INCOMPATIBLE_FILTERS,
        "The filter '%s' cannot be merged into '%s', as it has another %s. Nothing was changed. Create it anew with the parameters of '%s' and add its elements again."
            .formatted(
                other,
                target,
                differences.stream().map(Difference::field).collect(joining(", ")),
                target),
        new Facts.Differences(differences),
        null);
  }

  /**
   * A union would be answered maybe more often than is allowed.
   *
   * @param limitedBy what sets the limit
   */
  public static BloomException rateExceeded(
      Object name, double rate, double fillRatio, String limitedBy, double limit) {
    return of(
        ErrorCode.RATE_EXCEEDED,
        "The union would give the filter '%s' an estimatedFalsePositiveProbability of %s, at a fillRatio of %s; its %s allows %s. Nothing was changed. Merge fewer filters, allow a higher rate, or merge into a larger filter."
            .formatted(name, rate, fillRatio, limitedBy, limit));
  }

  /** What a rebuild loads cannot take an element that the live filter took. */
  public static BloomException nextFull(Object name, long expectedInsertions) {
    return new BloomException(
        ErrorCode.FILTER_FULL,
        "What a rebuild of the filter '%s' is loading holds its %d expected insertions and rejects new elements, so the elements of this request would be lost when it is committed. Abort the rebuild, or open one for more elements."
            .formatted(name, expectedInsertions),
        new Facts.Applied(0, false),
        null);
  }

  /** No rebuild is open under this name, or not the one that was meant. */
  public static BloomException rebuildNotFound(Object name) {
    return of(
        ErrorCode.REBUILD_NOT_FOUND,
        "The filter '%s' has no such rebuild: none was opened, or it was committed, aborted or abandoned. Open one with POST /v1/filters/%s/rebuild."
            .formatted(name, name));
  }

  /** A rebuild is open and forbids what was asked for. */
  public static BloomException rebuildInProgress(Object name) {
    return of(
        ErrorCode.REBUILD_IN_PROGRESS,
        "A rebuild of the filter '%s' is open. Commit it with POST /v1/filters/%s/rebuild/commit or abort it with DELETE /v1/filters/%s/rebuild first."
            .formatted(name, name, name));
  }

  /** A rebuild into which nothing was loaded would empty the filter. */
  public static BloomException rebuildEmpty(Object name) {
    return of(
        ErrorCode.REBUILD_EMPTY,
        "Nothing was loaded into the rebuild of the filter '%s', and to commit it would empty the filter. Load elements first, or send \"allowEmpty\": true. Nothing was changed."
            .formatted(name));
  }

  /** The segments that a rebuild loads are still being made. */
  public static BloomException rebuildNotReady(Object name) {
    return of(
        ErrorCode.FILTER_NOT_READY,
        "The rebuild of the filter '%s' is still being opened. Repeat the request when GET /v1/filters/%s/rebuild answers \"state\": \"open\"."
            .formatted(name, name));
  }

  /** The filter is not rebuilt from a source. */
  public static BloomException sourceNotFound(Object name) {
    return of(
        ErrorCode.SOURCE_NOT_FOUND,
        "The filter '%s' has no source to be rebuilt from. Give it one with PUT /v1/filters/%s/source."
            .formatted(name, name));
  }

  /**
   * A source is missing, refused, cut short or holds what is no element.
   *
   * @param detail what is wrong with it and what to do; never what it holds
   */
  public static BloomException sourceUnreadable(String detail) {
    return of(ErrorCode.SOURCE_UNREADABLE, detail);
  }

  /** The filter is being rebuilt from its source already. */
  public static BloomException runInProgress(Object name) {
    return of(
        ErrorCode.REBUILD_IN_PROGRESS,
        "The filter '%s' is being rebuilt from its source. Watch it with GET /v1/filters/%s/source."
            .formatted(name, name));
  }

  /** A run ended without effect, because it is not the one of the filter's source any more. */
  public static BloomException runLost(Object name) {
    return of(
        ErrorCode.FILTER_CHANGED,
        "The filter '%s' or its source was renamed, replaced or removed while the filter was rebuilt from it. Nothing was changed by this run."
            .formatted(name));
  }

  /** A run was cut off again and again, so it is not tried once more. */
  public static BloomException runCutOff(int attempts) {
    return of(
        ErrorCode.INTERNAL,
        "The run was cut off %d times, each time with the instance of the service that did it. Look at the logs of the instances."
            .formatted(attempts));
  }

  /** A Redis key of the filter holds something that is not ours. */
  public static BloomException wrongKeyType(Object name, String key) {
    return new BloomException(
        ErrorCode.WRONG_KEY_TYPE,
        "The Redis key %s of the filter '%s' holds another type: something else wrote it. Remove or rename that key in Redis."
            .formatted(key, name),
        "Nothing was changed.",
        null,
        null);
  }

  /** The next content of an adopted bitmap cannot be of other parameters. */
  public static BloomException adoptedShape(Object name, String key, boolean rejects) {
    return of(
        ErrorCode.INVALID_REQUEST,
        "The filter '%s' keeps its bits under the Redis key %s, where other clients use them as they are, so its %s. Leave %s, or make a filter of your own with other parameters."
            .formatted(
                name,
                key,
                rejects
                    ? "whenFull is always accept"
                    : "hashScheme, elementCodec, bitSize and numHashFunctions cannot change",
                rejects ? "it out" : "them as they are"));
  }

  /**
   * What an adopted key holds is not what the filter takes it for.
   *
   * @param problem completes "the Redis key ..."
   */
  public static BloomException keyMismatch(Object name, String key, String problem) {
    return new BloomException(
        ErrorCode.KEY_MISMATCH,
        "The Redis key %s %s, so it is not a bitmap of the filter '%s'. Compare the hashScheme, bitSize and numHashFunctions with what the library uses; if the library made it anew, let go of it with DELETE /v1/filters/%s and adopt it again."
            .formatted(key, problem, name, name),
        "Nothing was changed.",
        null,
        null);
  }

  /** Part of a filter is missing, so that no answer about its elements would be right. */
  public static BloomException filterDamaged(Object name, String key) {
    return of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s of the filter '%s' is missing or incomplete, so its elements are not known any more. Check whether Redis evicts keys (maxmemory-policy). Rebuild the filter from its source with POST /v1/filters/%s/rebuild, or delete it and create it again."
            .formatted(key, name, name));
  }

  /** What a library kept for a filter that has adopted it is gone. */
  public static BloomException adoptedKeyMissing(Object name, String key) {
    return of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s, which the filter '%s' shares with other clients, is missing or incomplete, so its elements are not known any more. If a client of its library deleted it, let go of it with DELETE /v1/filters/%s and adopt it again; else rebuild the filter from its source with POST /v1/filters/%s/rebuild, and check whether Redis evicts keys (maxmemory-policy)."
            .formatted(key, name, name, name));
  }

  /** The filter was stored by a version of the service that this one does not know. */
  public static BloomException unknownFormat(Object name, String format) {
    return of(
        ErrorCode.FILTER_DAMAGED,
        "The filter '%s' is stored in format %s, which this version of the service does not read. Use the version that created it, or a later one."
            .formatted(name, format));
  }

  /**
   * The bits of elements of a keyed filter cannot be told, so that there is no right answer.
   *
   * @param secretId of the secret its key comes from
   */
  public static BloomException secretMissing(String secretId) {
    return of(
        ErrorCode.SECRET_MISSING,
        "The filter is keyed with the hash secret %s, which this instance of the service does not have. Add that secret to bloomgate.security.hash-secret or the file in bloomgate.security.hash-secret-file of every instance and start them again. If it is lost, rebuild the filter with a hashScheme named in the request, or delete it."
            .formatted(secretId));
  }

  /** A keyed filter cannot be made without a secret. */
  public static BloomException noSecret() {
    return of(
        ErrorCode.INVALID_REQUEST,
        "A filter of the hashScheme bloomgate-1-keyed needs a hash secret, and this service has none. Set bloomgate.security.hash-secret (the environment variable BLOOMGATE_SECURITY_HASH_SECRET) to what 'openssl rand -base64 32' prints, the same on every instance, or send another hashScheme.");
  }

  /** The filter's segments are still being made. */
  public static BloomException filterNotReady(Object name) {
    return of(
        ErrorCode.FILTER_NOT_READY,
        "The filter '%s' is still being created. Repeat the request when GET /v1/filters/%s answers \"state\": \"ready\"."
            .formatted(name, name));
  }

  /** There is nothing at the path of the request. */
  public static BloomException noSuchResource() {
    return of(
        ErrorCode.NOT_FOUND,
        "There is nothing at this path, or a value in it is malformed. The paths are listed in"
            + " /q/swagger-ui.");
  }

  /** The path exists, the method is not one of its. */
  public static BloomException methodNotAllowed() {
    return of(
        ErrorCode.METHOD_NOT_ALLOWED,
        "This path does not support the method of the request. Its methods are listed in"
            + " /q/swagger-ui.");
  }

  /** The client accepts no media type that the resource produces. */
  public static BloomException notAcceptable() {
    return of(
        ErrorCode.NOT_ACCEPTABLE,
        "The Accept header excludes the media type of the answer: application/json, but for an export"
            + " application/octet-stream, and for a stream that returns more than a summary"
            + " text/plain or the media type of its lines. Accept it.");
  }

  /** The body is of a media type that the resource does not read. */
  public static BloomException unsupportedFormat() {
    return of(
        ErrorCode.UNSUPPORTED_FORMAT,
        "The body must be application/json in UTF-8, or where elements are added or tested lines of"
            + " text/plain or application/x-ndjson, or for an import application/octet-stream, as it"
            + " is or in gzip. Send it so, with the"
            + " Content-Type and Content-Encoding that say so.");
  }

  /** A line of a stream stands for no element. */
  public static BloomException invalidLine(long line, String mistake) {
    return of(ErrorCode.INVALID_REQUEST, "Line %d %s. Correct it.".formatted(line, mistake));
  }

  /** A stream ended before its end, or cannot be unzipped. */
  public static BloomException brokenStream(Throwable cause) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST,
        "The body is cut short, or is not what its Content-Encoding says.",
        null,
        cause);
  }

  /**
   * A stream failed, so that a part of it was done.
   *
   * @param line the first line, from 1, that failed or was in a call that failed
   * @param appliedCount how many elements are known to be added
   */
  public static BloomException addStopped(BloomException cause, long line, long appliedCount) {
    return new BloomException(
        cause.code,
        cause.reason,
        "The stream stopped at line %d; %d elements were applied. Send the rest again."
            .formatted(line, appliedCount),
        new Facts.Stopped(line, appliedCount),
        cause);
  }

  /** Likewise for a stream that tests. */
  public static BloomException testStopped(BloomException cause, long line) {
    return new BloomException(
        cause.code,
        cause.reason,
        "The stream stopped at line %d.".formatted(line),
        new Facts.Stopped(line, null),
        cause);
  }

  /** Likewise for a stream that replaces the content of a filter, all or nothing. */
  public static BloomException replacementStopped(BloomException cause, long line) {
    return new BloomException(
        cause.code,
        cause.reason,
        "The stream stopped at line %d; the filter keeps the content it had. Send all of it again."
            .formatted(line),
        new Facts.Stopped(line, null),
        cause);
  }

  /** As many streams run as the service allows. */
  public static BloomException tooManyStreams(int limit) {
    return of(
        ErrorCode.TOO_MANY_STREAMS,
        "The service runs %d streams at once, which is its limit. Repeat the request later."
            .formatted(limit));
  }

  /** A part of the request is larger than the service takes. */
  public static BloomException tooLarge(String detail) {
    return of(ErrorCode.TOO_LARGE, detail);
  }

  /**
   * A file that is to be imported is not what an export makes.
   *
   * @param problem what is wrong with the file, as the rest of a sentence
   * @param position the byte at which the part of the file begins in which it was noticed
   */
  public static BloomException corruptImport(String problem, long position) {
    return of(
        ErrorCode.CORRUPT_IMPORT,
        "The file cannot be imported: %s (at byte %d). Nothing was changed. Transfer the file again, byte for byte, or export the filter again."
            .formatted(problem, position));
  }

  /** A value is valid in itself but beyond what the service allows. */
  public static BloomException limitExceeded(String detail) {
    return of(ErrorCode.LIMIT_EXCEEDED, detail);
  }

  /**
   * The client, or all clients of a filter, ask for more a second than the operator allows.
   *
   * @param policy the limit that is exceeded
   * @param retryAfterSeconds when the same request is let pass, if nobody else asks meanwhile
   */
  public static BloomException rateLimited(String policy, int perSecond, long retryAfterSeconds) {
    return new BloomException(
        ErrorCode.RATE_LIMITED,
        "This instance allows %d %s a second. Nothing was done. Repeat the request in %d s."
            .formatted(perSecond, policy, retryAfterSeconds),
        new Facts.RetryAfter(retryAfterSeconds),
        null);
  }

  /** The service was told to end and takes no more requests. */
  public static BloomException shuttingDown() {
    return of(
        ErrorCode.SHUTTING_DOWN,
        "This instance is ending and takes no more requests. Nothing was done. Repeat the request"
            + " on a new connection, which leads to another instance or to this one when it is"
            + " back.");
  }

  /** The store could not be asked, or a request that changes nothing got no answer. */
  public static BloomException storeUnavailable(String detail, Throwable cause) {
    return new BloomException(ErrorCode.STORE_UNAVAILABLE, detail, null, cause);
  }

  /** A change was sent and no answer came: it may or may not have been made. */
  public static BloomException storeOutcomeUnknown(String detail, Throwable cause) {
    return new BloomException(ErrorCode.STORE_OUTCOME_UNKNOWN, detail, null, cause);
  }

  /** Redis refused a change because it reached its {@code maxmemory}. */
  public static BloomException storeFull() {
    return of(
        ErrorCode.STORE_FULL,
        "Redis has reached its maxmemory and takes no more data. Raise"
            + " maxmemory or delete filters, then repeat the request.");
  }

  /**
   * Something would be made for which Redis has no room.
   *
   * @param needed bytes of memory
   * @param left bytes of memory
   */
  public static BloomException storeFull(Object name, long needed, long left) {
    return of(
        ErrorCode.STORE_FULL,
        "The filter '%s' needs %d bytes of the memory of Redis, which has %d bytes left. Nothing was changed. Create a smaller filter, delete others or raise maxmemory, then repeat the request."
            .formatted(name, needed, left));
  }

  /** There are as many filters as the operator allows. */
  public static BloomException tooManyFilters(long filters, long limit) {
    return limitExceeded(
        "There are %d filters, and bloomgate.limits.max-filters is %d. Nothing was changed. Delete filters, or ask the operator for more."
            .formatted(filters, limit));
  }

  /**
   * The filters would take more bytes than the operator allows.
   *
   * @param more bytes that were asked for
   * @param taken bytes of all filters
   */
  public static BloomException tooManyBytes(Object name, long more, long taken, long limit) {
    return limitExceeded(
        "The filter '%s' would take %d bytes more; all filters take %d bytes, and bloomgate.limits.max-total-bytes is %d. Nothing was changed. Create a smaller filter, delete others, or ask the operator for more."
            .formatted(name, more, taken, limit));
  }

  /**
   * There are as many filters of the names that a key may use as its quota allows.
   *
   * @param key its id
   */
  public static BloomException tooManyFiltersOfKey(Object key, long filters, long limit) {
    return limitExceeded(
        "There are %d filters of names that the key '%s' may use, and maxFilters of its quota is %d. Nothing was changed. Delete filters, or ask the operator for more."
            .formatted(filters, key, limit));
  }

  /**
   * The filters of the names that a key may use would take more bytes than its quota allows.
   *
   * @param key its id
   * @param more bytes that were asked for
   * @param taken bytes of these filters, whoever made them
   */
  public static BloomException tooManyBytesOfKey(
      Object key, Object name, long more, long taken, long limit) {
    return limitExceeded(
        "The filter '%s' would take %d bytes more; all filters of names that the key '%s' may use take %d bytes, and maxBytes of its quota is %d. Nothing was changed. Create a smaller filter, delete others, or ask the operator for more."
            .formatted(name, more, key, taken, limit));
  }

  /** A defect of the service; the cause is for the log, not for the client. */
  public static BloomException internal(String forTheLog, Throwable cause) {
    return new BloomException(ErrorCode.INTERNAL, forTheLog, null, cause);
  }
}
