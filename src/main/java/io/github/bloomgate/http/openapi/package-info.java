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
                    + " operation may answer 503 `STORE_UNAVAILABLE` or `OVERLOADED` (repeat"
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
                      "redisbloom",
                      "rueidisprob"
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
                        schema = @Schema(implementation = AddResult.class)),
                    @Content(
                        mediaType = LineFormat.TEXT_TYPE,
                        schema = @Schema(type = SchemaType.STRING)),
                    @Content(
                        mediaType = LineFormat.NDJSON_TYPE,
                        schema = @Schema(type = SchemaType.STRING))
                  })
            }))
package io.github.bloomgate.http.openapi;

import io.github.bloomgate.http.answer.AddResult;
import io.github.bloomgate.http.request.ElementsRequest;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.LineFormat;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
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
