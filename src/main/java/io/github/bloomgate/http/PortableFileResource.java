package io.github.bloomgate.http;

import io.github.bloomgate.files.ExportService;
import io.github.bloomgate.files.ImportService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.http.request.FileQuery;
import io.github.bloomgate.http.request.QueryNames;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.BrokenAnswer;
import io.github.bloomgate.http.stream.StreamBody;
import io.github.bloomgate.http.stream.StreamSlot;
import io.github.bloomgate.http.stream.StreamSlots;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;

/** Filters as files, in the format of the service and in those of other libraries. */
@Path("/v1/filters")
@Tag(name = ApiDefinition.FILTERS)
public class PortableFileResource {

  private static final Logger LOG = Logger.getLogger(PortableFileResource.class);

  private final ExportService exports;
  private final ImportService imports;
  private final Caller caller;
  private final StreamSlots slots;
  private final FailureLog failures;

  PortableFileResource(
      ExportService exports,
      ImportService imports,
      Caller caller,
      StreamSlots slots,
      FailureLog failures) {
    this.failures = failures;
    this.exports = exports;
    this.imports = imports;
    this.caller = caller;
    this.slots = slots;
  }

  @GET
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/export")
  @QueryNames({FileQuery.FORMAT, FileQuery.PLAIN})
  @Blocking
  @Produces(MediaType.APPLICATION_OCTET_STREAM)
  @Operation(
      operationId = "exportFilter",
      summary = "Export a filter",
      description =
          "Streams the filter as one file; `docs/export-format.md` defines the formats. It has every"
              + " element whose add was answered before the export began, and may have some that"
              + " were added meanwhile. If the filter is cleared, replaced, renamed or deleted"
              + " meanwhile, the connection is closed before the end of the file.")
  @Parameter(
      name = "format",
      in = ParameterIn.QUERY,
      description =
          "The layout of the file. `bloomgate` has checksums and is for every filter, `guava` for"
              + " the schemes `guava-mitz-32` and `guava-mitz-64`, `bits-and-blooms` for the scheme"
              + " of this name, `redis-bitmap`, which is nothing but the bits, for filters of one"
              + " segment.",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"bloomgate", "guava", "bits-and-blooms", "redis-bitmap"},
              defaultValue = "bloomgate"))
  @Parameter(
      name = "plain",
      in = ParameterIn.QUERY,
      description =
          "`true`: of a filter that counts, a file of one that does not, with a bit for each counter"
              + " that is not 0. Of filters that do not count the file is the same, and one with"
              + " a window is refused. Without it the file has the counters, and only `bloomgate` can"
              + " hold them.",
      schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
  @APIResponse(
      responseCode = "200",
      description = "The file",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_OCTET_STREAM,
              schema = @Schema(type = SchemaType.STRING, format = "binary")))
  public RestResponse<StreamingOutput> export(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name, @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var format = FileQuery.ofExport(context);
    var isPlain = FileQuery.isPlain(context);
    var slot = slots.ofFile(caller.client(context));
    slot.takeFor(context);
    var export = exports.begin(filterName, format, isPlain);
    StreamingOutput file = out -> write(export, out, context, slot);
    return RestResponse.ResponseBuilder.<StreamingOutput>ok(file)
        .header(HttpHeaders.CONTENT_LENGTH, export.length())
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            "attachment; filename=\"%s\"".formatted(export.fileName()))
        .build();
  }

  @PUT
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/import")
  @QueryNames({
    FileQuery.FORMAT,
    FileQuery.INSERTIONS,
    FileQuery.PROBABILITY,
    FileQuery.BITS,
    FileQuery.HASH_FUNCTIONS,
    FileQuery.SCHEME,
    FileQuery.CODEC
  })
  @Blocking
  @Consumes(MediaType.APPLICATION_OCTET_STREAM)
  @Produces(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "importFilter",
      summary = "Import a filter",
      description =
          "Makes a filter of a file, or replaces the content and the parameters of the one of this"
              + " name; its deadline stays. The file is verified to its end before anything is"
              + " changed, then goes live like a rebuild: in one step, with every add made meanwhile."
              + " Only files of the format `bloomgate` have checksums; of the others, length and"
              + " header are checked. An adopted filter takes files of its own scheme and shape"
              + " only; one that counts takes files of counters, and no other filter does.")
  @Parameter(
      name = "format",
      in = ParameterIn.QUERY,
      description =
          "What wrote the file: `bloomgate` an export of the service, `guava` Guava's `writeTo`,"
              + " `bits-and-blooms` the Go library's `WriteTo`, `redis-bitmap` Redis' `GET`,"
              + " `redisbloom` the data of all replies of `BF.SCANDUMP`, one after the other, of a"
              + " filter of one layer.",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"bloomgate", "guava", "bits-and-blooms", "redis-bitmap", "redisbloom"},
              defaultValue = "bloomgate"))
  @Parameter(
      name = "hashScheme",
      in = ParameterIn.QUERY,
      description =
          "Of a `redis-bitmap`, and required there: the scheme of the library that made it",
      schema = @Schema(ref = ApiDefinition.HASH_SCHEME))
  @Parameter(
      name = "elementCodec",
      in = ParameterIn.QUERY,
      description = "Of a `redis-bitmap` with the scheme `redisson`: how strings become bytes",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"string", "kryo5"}))
  @Parameter(
      name = "bitSize",
      in = ParameterIn.QUERY,
      description = "Of a `redis-bitmap`: m, as the library has it",
      schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "68719476736"))
  @Parameter(
      name = "numHashFunctions",
      in = ParameterIn.QUERY,
      description = "Of a `redis-bitmap`: k, as the library has it",
      schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "255"))
  @Parameter(
      name = "expectedInsertions",
      in = ParameterIn.QUERY,
      description =
          "Of a `redis-bitmap`, in place of the two before: n that the library was given. Of `guava`"
              + " and `bits-and-blooms`: the n of the filter, which the file does not tell; left out,"
              + " what its bits are best for",
      schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100000000000"))
  @Parameter(
      name = "falsePositiveProbability",
      in = ParameterIn.QUERY,
      description = "Likewise p",
      schema =
          @Schema(
              type = SchemaType.NUMBER,
              minimum = "1e-12",
              exclusiveMaximum = true,
              maximum = "1"))
  @RequestBody(
      required = true,
      description = "The file, plain or in gzip",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_OCTET_STREAM,
              schema = @Schema(type = SchemaType.STRING, format = "binary")))
  @APIResponse(
      responseCode = "201",
      description = "Created",
      content = @Content(schema = @Schema(implementation = FilterView.class)))
  @APIResponse(
      responseCode = "200",
      description = "The filter with its new content",
      content = @Content(schema = @Schema(implementation = FilterView.class)))
  @APIResponse(responseCode = "422", ref = ApiDefinition.CORRUPT_IMPORT)
  public RestResponse<FilterView> load(
      @Parameter(ref = ApiDefinition.NAME) @RestPath String name,
      InputStream body,
      @Context RoutingContext context) {
    var filterName = new FilterName(name);
    var description = FileQuery.ofImport(context);
    var file = StreamBody.file(context, body);
    var slot = slots.ofFile(caller.client(context));
    slot.take();
    try {
      var loaded = imports.load(filterName, description, file, caller.quota(context));
      var view = FilterView.of(loaded);
      return loaded.filter().generation().isFirst()
          ? CreatedAnswer.of(view, "v1/filters/" + filterName, context)
          : RestResponse.ok(view);
    } finally {
      slot.giveBack();
    }
  }

  /**
   * The status is sent already, so only the end of the connection can tell that the file is not
   * whole. Nothing is thrown: the framework would make an answer of it.
   */
  private void write(
      ExportService.Export export, OutputStream out, RoutingContext context, StreamSlot slot) {
    try {
      export.writeTo(new ClientStream(out, context.response()));
    } catch (IOException clientGone) {
      LOG.debugf("An export was broken off: %s", clientGone.getMessage());
      BrokenAnswer.end(context);
    } catch (BloomException failed) {
      if (failures.isFirst(failed)) {
        LOG.warnf("An export was broken off with %s: %s", failed.code(), failed.getMessage());
      }
      BrokenAnswer.end(context);
    } catch (RuntimeException defect) {
      LOG.error("An export was broken off", defect);
      BrokenAnswer.end(context);
    } finally {
      slot.giveBack();
    }
  }
}
