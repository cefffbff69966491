package io.github.bloomgate.http.openapi;

import io.github.bloomgate.http.problem.Problem;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** The errors that operations of the contract share, by status; {@link ErrorAnswers} adds them. */
enum ErrorAnswer {
  INVALID_REQUEST(
      400,
      "InvalidRequest",
      "`INVALID_REQUEST`: a value is not acceptable; nothing was changed. `RENAME_ACROSS_SLOTS`: on a"
          + " Redis Cluster the names are in different slots"),
  UNAUTHENTICATED(
      401,
      "Unauthenticated",
      "`UNAUTHENTICATED`: the service asks for an API key, and the request has no known one"),
  FORBIDDEN(
      403,
      "Forbidden",
      "`FORBIDDEN`: the key lacks the role for this, or is limited to other prefixes; or, without any"
          + " key configured, the client is on another machine"),
  FILTER_NOT_FOUND(404, "FilterNotFound", "`FILTER_NOT_FOUND`: there is no filter of this name"),
  REBUILD_NOT_FOUND(
      404,
      "RebuildNotFound",
      "`REBUILD_NOT_FOUND`: no such rebuild is open. `FILTER_NOT_FOUND`: there is no filter of this"
          + " name"),
  SOURCE_NOT_FOUND(
      404,
      "SourceNotFound",
      "`SOURCE_NOT_FOUND`: the filter has no source. `FILTER_NOT_FOUND`: there is no filter of this"
          + " name"),
  CONFLICT(
      409,
      "Conflict",
      "`FILTER_EXISTS`: the name is taken. `INCOMPATIBLE_FILTERS`: an element has other bits in one"
          + " of the filters. `RATE_EXCEEDED`: a union would be too full. `FILTER_FULL`: it rejects"
          + " new elements. `FILTER_CHANGED`: others replaced it again and again; repeat the"
          + " request. `REBUILD_IN_PROGRESS`: a rebuild is open; commit or abort it first."
          + " `REBUILD_EMPTY`, `REBUILD_TOO_SMALL`: nothing, or less than required, was loaded into"
          + " it. `WRONG_KEY_TYPE`: something else wrote to its Redis key"),
  DAMAGED(
      410,
      "FilterDamaged",
      "`FILTER_DAMAGED`: part of the filter is missing in Redis, so nothing can be said of its"
          + " elements"),
  TOO_LARGE(413, "TooLarge", "`TOO_LARGE`: the body is larger than the service takes"),
  UNSUPPORTED_FORMAT(
      415,
      "UnsupportedFormat",
      "`UNSUPPORTED_FORMAT`: the body is not `application/json`, or lines where the call takes them,"
          + " in UTF-8, as it is or in gzip"),
  LIMIT_EXCEEDED(
      422,
      ApiDefinition.LIMIT_EXCEEDED,
      "`LIMIT_EXCEEDED`: the filter would be too large, or beyond a quota"),
  CORRUPT_IMPORT(
      422,
      ApiDefinition.CORRUPT_IMPORT,
      "`CORRUPT_IMPORT`: the file is not whole, or not one of a filter; nothing was changed."
          + " `LIMIT_EXCEEDED`: its filter would be too large, or beyond a quota"),
  RATE_LIMITED(
      429,
      "RateLimited",
      "`RATE_LIMITED`: the operator allows fewer requests or elements a second; nothing was done"),
  INTERNAL(500, "Internal", "`INTERNAL`: a defect of the service; its log tells more"),
  SOURCE_UNREADABLE(
      502,
      ApiDefinition.SOURCE_UNREADABLE,
      "`SOURCE_UNREADABLE`: the source is missing, refused, cut short or holds what is no element;"
          + " the content is as it was"),
  UNAVAILABLE(
      503,
      "Unavailable",
      "`STORE_UNAVAILABLE`: Redis does not answer; nothing was changed. `OVERLOADED`: what"
          + " others hold leaves no memory for the request. `TOO_MANY_STREAMS`: as many streams run"
          + " as the service allows. `SHUTTING_DOWN`: the instance is ending; nothing was done"),
  OUTCOME_UNKNOWN(
      504,
      "OutcomeUnknown",
      "`STORE_OUTCOME_UNKNOWN`: the change was sent and Redis did not confirm it; `NOT_REPLICATED`:"
          + " too few replicas of Redis have confirmed it; adding again is harmless"),
  STORE_FULL(
      507,
      ApiDefinition.STORE_FULL,
      "`STORE_FULL`: Redis has reached its maxmemory. `TEMP_FOLDER_UNUSABLE`: the service cannot"
          + " write to its folder for temporary files");

  private final int status;
  private final String component;
  private final String description;

  /** A header that comes with an error. */
  private record HeaderText(String name, SchemaType type, String description) {}

  ErrorAnswer(int status, String component, String description) {
    this.status = status;
    this.component = component;
    this.description = description;
  }

  String status() {
    return String.valueOf(status);
  }

  /** Its name among the components of the contract. */
  String component() {
    return component;
  }

  APIResponse reference() {
    return OASFactory.createAPIResponse().ref(component);
  }

  APIResponse response() {
    var problem =
        OASFactory.createMediaType()
            .schema(OASFactory.createSchema().ref(Problem.class.getSimpleName()));
    var response = OASFactory.createAPIResponse().description(description);
    for (var header : headers()) {
      response.addHeader(
          header.name,
          OASFactory.createHeader()
              .description(header.description)
              .schema(OASFactory.createSchema().addType(header.type)));
    }
    return response.content(OASFactory.createContent().addMediaType(Problem.MEDIA_TYPE, problem));
  }

  private List<HeaderText> headers() {
    return switch (this) {
      case UNAUTHENTICATED ->
          List.of(new HeaderText("WWW-Authenticate", SchemaType.STRING, "How a key is sent"));
      case RATE_LIMITED ->
          List.of(
              new HeaderText(
                  "Retry-After",
                  SchemaType.INTEGER,
                  "Seconds until the request is worth repeating"),
              new HeaderText(
                  "RateLimit-Policy",
                  SchemaType.STRING,
                  "Each limit that counts for the request: its name, how many (`q`) in how many seconds"
                      + " (`w`)"),
              new HeaderText(
                  "RateLimit",
                  SchemaType.STRING,
                  "Of each of them how many are left (`r`), and in how many seconds all are there again"
                      + " (`t`)"));
      case UNAVAILABLE ->
          List.of(
              new HeaderText(
                  "Retry-After",
                  SchemaType.INTEGER,
                  "Seconds to wait before the request is repeated"));
      default -> List.of();
    };
  }
}
