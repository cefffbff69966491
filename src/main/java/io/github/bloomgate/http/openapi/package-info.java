/**
 * What the contract says of the whole service: its description, tags, parameters and errors that
 * operations share.
 */
@OpenAPIDefinition(
    info =
        @Info(
            title = "Bloomgate",
            version = "1",
            description =
                "Named Bloom filters over HTTP, kept as plain Redis bitmaps.\n\n"
                    + "A filter answers whether it *might* contain an element: `false` is certain,"
                    + " `true` is wrong with a small probability that is promised when the filter"
                    + " is created. An error is never an answer: a filter that is missing, damaged"
                    + " or out of reach is reported, not guessed about.\n\n"
                    + "Every error is a problem document of RFC 9457 with a stable `code`. Once API keys are configured, every"
                    + " operation asks for one; `docs/security.md` tells which role it needs. Any"
                    + " operation may answer 503 `STORE_UNAVAILABLE`, `OVERLOADED` or `FILTER_NOT_READY` (repeat"
                    + " it after the time in `Retry-After`), 504 `STORE_OUTCOME_UNKNOWN` (Redis"
                    + " did not confirm a change; adding again is harmless) and 500 `INTERNAL`.",
            license =
                @License(name = "Apache-2.0", url = "https://www.apache.org/licenses/LICENSE-2.0")),
    security = {
      @SecurityRequirement(name = ApiDefinition.BEARER),
      @SecurityRequirement(name = ApiDefinition.BASIC)
    },
    tags = {
      @Tag(name = ApiDefinition.FILTERS, description = "Filters as wholes"),
      @Tag(name = ApiDefinition.ELEMENTS, description = "Elements, added and tested"),
      @Tag(
          name = ApiDefinition.REBUILDS,
          description = "New content for a filter in use, without a gap"),
      @Tag(name = ApiDefinition.SIZING, description = "How large a filter must be")
    },
    components =
        @Components(
            parameters = {
              @Parameter(
                  name = ApiDefinition.NAME,
                  in = ParameterIn.PATH,
                  required = true,
                  description = ApiDefinition.NAME_DESCRIPTION,
                  schema =
                      @Schema(
                          type = SchemaType.STRING,
                          minLength = 1,
                          maxLength = FilterName.MAX_LENGTH,
                          pattern = FilterName.PATTERN),
                  example = ApiDefinition.FILTER_EXAMPLE),
              @Parameter(
                  name = ApiDefinition.REBUILD_ID,
                  in = ParameterIn.QUERY,
                  description =
                      "The `id` of the rebuild that is meant; without it, the one that is open",
                  schema = @Schema(type = SchemaType.STRING)),
              @Parameter(
                  name = ApiDefinition.WAIT,
                  in = ParameterIn.QUERY,
                  description = "Whether to answer when the run has ended",
                  schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false")),
              @Parameter(
                  name = ApiDefinition.ENCODING,
                  in = ParameterIn.QUERY,
                  description =
                      "How the text of an element stands for its bytes, `utf-8` if not given; a JSON"
                          + " body may name it instead",
                  schema =
                      @Schema(
                          type = SchemaType.STRING,
                          enumeration = {"utf-8", "base64", "hex"})),
              @Parameter(
                  name = ApiDefinition.RETURN,
                  in = ParameterIn.QUERY,
                  description =
                      "What is returned: the counts (`summary`), for each element whether it is new"
                          + " (`flags`), or just the elements that are new (`added`) or not"
                          + " (`known`). Of a JSON body in JSON, and `flags` if not given; of a"
                          + " stream as lines, those of `flags` being 1 or 0, and `summary` if not"
                          + " given",
                  schema =
                      @Schema(
                          type = SchemaType.STRING,
                          enumeration = {"summary", "flags", "added", "known"}))
            },
            securitySchemes = {
              @SecurityScheme(
                  securitySchemeName = ApiDefinition.BEARER,
                  type = SecuritySchemeType.HTTP,
                  scheme = "bearer",
                  description = "An API key"),
              @SecurityScheme(
                  securitySchemeName = ApiDefinition.BASIC,
                  type = SecuritySchemeType.HTTP,
                  scheme = "basic",
                  description = "An API key as the password; the name of the user says nothing")
            },
            schemas =
                @Schema(
                    name = ApiDefinition.HASH_SCHEME,
                    description =
                        "The rule from elements to bits: `bloomgate-1`, the native one, or that of"
                            + " another library; `docs/hash-schemes.md` defines each",
                    type = SchemaType.STRING,
                    enumeration = {
                      "bloomgate-1",
                      "bloomgate-1-keyed",
                      "go-zero",
                      "guava-mitz-32",
                      "guava-mitz-64",
                      "guava-redis-helper",
                      "guava-redis-helper-once",
                      "bits-and-blooms",
                      "redisson",
                      "scrapy-redis-bloomfilter",
                      "redisbloom"
                    }),
            requestBodies =
                @RequestBody(
                    name = ApiDefinition.ELEMENTS_OR_LINES,
                    required = true,
                    description = ApiDefinition.STREAMS,
                    content = {
                      @Content(
                          mediaType = MediaType.APPLICATION_JSON,
                          schema = @Schema(implementation = ElementsRequest.class)),
                      @Content(
                          mediaType = LineFormat.TEXT_TYPE,
                          schema = @Schema(type = SchemaType.STRING),
                          example = ApiDefinition.LINES_EXAMPLE),
                      @Content(
                          mediaType = LineFormat.NDJSON_TYPE,
                          schema = @Schema(type = SchemaType.STRING),
                          example = ApiDefinition.LINE_EXAMPLE)
                    }),
            responses = {
              @APIResponse(
                  name = ApiDefinition.ADDED,
                  description = "What `return` asks for",
                  content = {
                    @Content(
                        mediaType = MediaType.APPLICATION_JSON,
                        schema =
                            @Schema(
                                oneOf = {AddResult.class, AddSummary.class, ElementsResult.class})),
                    @Content(
                        mediaType = LineFormat.TEXT_TYPE,
                        schema = @Schema(type = SchemaType.STRING)),
                    @Content(
                        mediaType = LineFormat.NDJSON_TYPE,
                        schema = @Schema(type = SchemaType.STRING))
                  }),
              @APIResponse(
                  name = ApiDefinition.INVALID_REQUEST,
                  description = "`INVALID_REQUEST`: a value is not acceptable; nothing was changed",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.UNAUTHENTICATED,
                  description =
                      "`UNAUTHENTICATED`: the service asks for an API key, and the request has no known one",
                  headers =
                      @Header(
                          name = "WWW-Authenticate",
                          description = "How a key is sent",
                          schema = @Schema(type = SchemaType.STRING)),
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.FORBIDDEN,
                  description =
                      "`FORBIDDEN`: the key has not the role for this, or is limited to other names; or, without any key configured, the client is on another machine",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.NOT_FOUND,
                  description = "`FILTER_NOT_FOUND`: there is no filter of this name",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.REBUILD_NOT_FOUND,
                  description =
                      "`REBUILD_NOT_FOUND`: no such rebuild is open. `FILTER_NOT_FOUND`: there is no"
                          + " filter of this name",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.SOURCE_NOT_FOUND,
                  description =
                      "`SOURCE_NOT_FOUND`: the filter has no source. `FILTER_NOT_FOUND`: there is no filter of this name",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.CONFLICT,
                  description =
                      "`FILTER_EXISTS`: the name is taken. `INCOMPATIBLE_FILTERS`: an element has other bits in one of the filters. `RATE_EXCEEDED`: a union would be too full. `FILTER_FULL`: it rejects new elements. `FILTER_CHANGED`: others replaced it again and again; repeat the request. `REBUILD_IN_PROGRESS`: a rebuild is open; commit or abort it first. `REBUILD_EMPTY`, `REBUILD_TOO_SMALL`: nothing, or less than required, was loaded into it. `WRONG_KEY_TYPE`: something else wrote to its Redis key",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.DAMAGED,
                  description =
                      "`FILTER_DAMAGED`: part of the filter is missing in Redis, so nothing can be"
                          + " said of its elements",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.TOO_LARGE,
                  description = "`TOO_LARGE`: the body is larger than the service takes",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.UNSUPPORTED_FORMAT,
                  description =
                      "`UNSUPPORTED_FORMAT`: the body is not `application/json`, or lines where the call takes them, in UTF-8, as it is or in gzip",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.LIMIT_EXCEEDED,
                  description =
                      "`LIMIT_EXCEEDED`: the filter would be too large, or beyond a quota",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.CORRUPT_IMPORT,
                  description =
                      "`CORRUPT_IMPORT`: the file is not whole, or not one of a filter; nothing was"
                          + " changed. `LIMIT_EXCEEDED`: its filter would be too large, or beyond a"
                          + " quota",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.RATE_LIMITED,
                  description =
                      "`RATE_LIMITED`: the operator allows fewer requests or elements a second; nothing was done",
                  headers = {
                    @Header(
                        name = "Retry-After",
                        description = "Seconds until the request is worth repeating",
                        schema = @Schema(type = SchemaType.INTEGER)),
                    @Header(
                        name = "RateLimit-Policy",
                        description =
                            "Each limit that counts for the request: its name, how many (`q`) in how many seconds (`w`)",
                        schema = @Schema(type = SchemaType.STRING)),
                    @Header(
                        name = "RateLimit",
                        description =
                            "Of each of them how many are left (`r`), and in how many seconds all are there again (`t`)",
                        schema = @Schema(type = SchemaType.STRING))
                  },
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.INTERNAL,
                  description = "`INTERNAL`: a defect of the service; its log tells more",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.SOURCE_UNREADABLE,
                  description =
                      "`SOURCE_UNREADABLE`: the source is missing, refused, cut short or holds what is no element; the content is as it was",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.UNAVAILABLE,
                  description =
                      "`STORE_UNAVAILABLE`: Redis does not answer; nothing was changed. `FILTER_NOT_READY`: the segments of the filter, or of its rebuild, are still being made. `OVERLOADED`: what others hold leaves no memory for the request. `TOO_MANY_STREAMS`: as many streams run as the service allows. `SHUTTING_DOWN`: the instance is ending; nothing was done",
                  headers =
                      @Header(
                          name = "Retry-After",
                          description = "Seconds to wait before the request is repeated",
                          schema = @Schema(type = SchemaType.INTEGER)),
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.OUTCOME_UNKNOWN,
                  description =
                      "`STORE_OUTCOME_UNKNOWN`: the change was sent and Redis did not confirm it; `NOT_REPLICATED`: too few replicas of Redis have confirmed it; adding again is harmless",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class))),
              @APIResponse(
                  name = ApiDefinition.STORE_FULL,
                  description = "`STORE_FULL`: Redis has reached its maxmemory",
                  content =
                      @Content(
                          mediaType = Problem.MEDIA_TYPE,
                          schema = @Schema(implementation = Problem.class)))
            }))
package io.github.bloomgate.http.openapi;

import io.github.bloomgate.http.answer.AddResult;
import io.github.bloomgate.http.answer.AddSummary;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.answer.ElementsResult;

import io.github.bloomgate.http.problem.Problem;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
