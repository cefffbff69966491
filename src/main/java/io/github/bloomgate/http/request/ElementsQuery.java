package io.github.bloomgate.http.request;

import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.contract.Query;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The query of a request about elements.
 *
 * @param elements those in the URL itself, each char one byte; none if there are none
 * @param filters the names of those that the URL names; none if it names none
 * @param encoding of the text of elements, if given
 * @param returnMode the kind of result, if given
 * @param durability of adds and removals
 * @param rebuild the id of a rebuild, if given
 * @param mayBeMissing whether to leave out filters that do not exist
 * @param like the name of the filter like which an add creates a missing one, if given
 * @param ttlSeconds the lifetime of a filter that it creates, if given
 * @param interleave whether a stream gets results before it has been sent completely
 * @param maxAge the most that the age of the answers of a test may be, if it may have one
 */
public record ElementsQuery(
    List<String> elements,
    List<String> filters,
    Optional<ElementEncoding> encoding,
    Optional<ReturnMode> returnMode,
    Durability durability,
    Optional<String> rebuild,
    boolean mayBeMissing,
    Optional<String> like,
    Optional<Long> ttlSeconds,
    boolean interleave,
    Optional<Duration> maxAge) {

  /** The most elements in one URL; POST takes more. */
  public static final int MAX_ELEMENTS = 100;

  public static ElementsQuery of(RoutingContext context) {
    var query = ApiRequest.query(context);
    return new ElementsQuery(
        query.texts("element"),
        query.texts("filter"),
        query.text("encoding").map(ElementsQuery::encoding),
        query.text("return").map(ElementsQuery::returnMode),
        query.text("durability").filter("replicated"::equals).isPresent()
            ? Durability.REPLICATED
            : Durability.PRIMARY,
        query.text("id"),
        query.text("missing").filter("ignore"::equals).isPresent(),
        query.text("like"),
        query.whole("ttlSeconds"),
        query.flag("interleave"),
        query.number("maxAge").map(ElementsQuery::seconds));
  }

  /** What a stream returns. */
  public ReturnMode ofStream() {
    return returnMode.orElse(ReturnMode.NONE);
  }

  private static Duration seconds(double some) {
    return Duration.ofMillis(Math.round(some * 1_000));
  }

  private static ElementEncoding encoding(String name) {
    return switch (name) {
      case "base64" -> ElementEncoding.BASE64;
      case "hex" -> ElementEncoding.HEX;
      default -> ElementEncoding.UTF_8;
    };
  }

  private static ReturnMode returnMode(String name) {
    return switch (name) {
      case "summary" -> ReturnMode.NONE;
      case "flags" -> ReturnMode.FLAGS;
      case "added", "removed", "present" -> ReturnMode.LINES_IF_TRUE;
      default -> ReturnMode.LINES_IF_FALSE;
    };
  }

  /**
   * The bytes of the elements in the URL itself, at least one.
   *
   * @throws BloomException INVALID_REQUEST if no element is given or one is malformed;
   *     LIMIT_EXCEEDED if there are too many, or one is too long
   */
  public List<byte[]> toBytes() {
    return toBytes(elements);
  }

  /**
   * The bytes of elements from elsewhere in the request, each char one byte; as {@link #toBytes()}.
   */
  List<byte[]> toBytes(List<String> some) {
    if (some.isEmpty()) {
      throw RequestErrors.invalid("The query has no element. Send one, such as ?element=VALUE.");
    }
    if (some.size() > MAX_ELEMENTS) {
      throw RequestErrors.limitExceeded(
          "The query has %d element parameters; the limit is %d. POST accepts more."
              .formatted(some.size(), MAX_ELEMENTS));
    }
    var codec = encoding.orElse(ElementEncoding.UTF_8);
    return codec == ElementEncoding.UTF_8
        ? some.stream().map(Query::bytes).toList()
        : new ElementTexts(some, codec, "query").toBytes();
  }
}
