package io.github.bloomgate.http;

import io.github.bloomgate.files.ExportService;
import io.github.bloomgate.files.ImportService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.StreamSlots;
import io.github.bloomgate.http.request.FileQuery;
import io.github.bloomgate.http.stream.BreakableAnswers;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.lines.ContentCoding;
import io.github.bloomgate.model.lines.UnpackedInput;
import io.smallrye.common.annotation.Blocking;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jboss.resteasy.reactive.RestResponse;

/** Exports and imports files in the formats of the service and of other libraries. */
@Path("/v1/filters")
public class PortableFileResource {

  /** Up to this length a file is complete before the status is sent, so a failure has its own. */
  private static final int SMALL = 1 << 20;

  private final ExportService exports;
  private final ImportService imports;
  private final Caller caller;
  private final StreamSlots slots;
  private final BreakableAnswers answers;

  PortableFileResource(
      ExportService exports,
      ImportService imports,
      Caller caller,
      StreamSlots slots,
      BreakableAnswers answers) {
    this.exports = exports;
    this.imports = imports;
    this.caller = caller;
    this.slots = slots;
    this.answers = answers;
  }

  @GET
  @Path("/{name}/export")
  @Blocking
  @Produces(MediaType.APPLICATION_OCTET_STREAM)
  public RestResponse<Object> export(FilterName name, RoutingContext context) throws IOException {
    var query = ApiRequest.query(context);
    var format = FileQuery.format(query);
    var isPlain = query.flag("plain");
    var slot = slots.ofFile(context);
    slot.take();
    slot.giveBackAtEnd();
    var export = exports.begin(name, format, isPlain);
    var length = export.length();
    var file =
        answers.of(
            context,
            out -> {
              try (slot) {
                export.writeTo(new ClientStream(out, context.response()));
              }
            });
    var isHead = context.request().method().equals(HttpMethod.HEAD);
    return RestResponse.ResponseBuilder.<Object>ok(
            isHead ? new byte[0] : length <= SMALL ? whole(export) : file)
        .header(HttpHeaders.CONTENT_LENGTH, length)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            "attachment; filename=\"%s\"".formatted(export.fileName()))
        .build();
  }

  @PUT
  @Path("/{name}/import")
  @Blocking
  @Consumes(MediaType.APPLICATION_OCTET_STREAM)
  @Produces(MediaType.APPLICATION_JSON)
  public RestResponse<FilterView> load(FilterName name, InputStream body, RoutingContext context) {
    var description = FileQuery.ofImport(ApiRequest.query(context));
    var file = unpacked(context.request().headers(), body);
    try (var slot = slots.ofFile(context)) {
      slot.take();
      var loaded = imports.load(name, description, file, caller.identity(context).quota());
      var view = FilterView.of(loaded);
      return loaded.filter().generation() == 1
          ? CreatedAnswer.of(view, "v1/filters/" + name, context)
          : RestResponse.ok(view);
    }
  }

  /**
   * The file in a body, decompressed according to its content coding or, if it names none, its
   * first bytes. A bitmap may begin with any bytes, so {@code identity} prevents a guess.
   */
  private static InputStream unpacked(MultiMap headers, InputStream body) {
    var coding = ContentCoding.ofRequest(headers.getAll(HttpHeaders.CONTENT_ENCODING));
    var isPlain = headers.contains(HttpHeaders.CONTENT_ENCODING, "identity", true);
    return coding == ContentCoding.GZIP || isPlain
        ? coding.decode(body)
        : new UnpackedInput(body, true);
  }

  private static byte[] whole(ExportService.Export export) throws IOException {
    var file = new ByteArrayOutputStream();
    export.writeTo(file);
    return file.toByteArray();
  }

  /**
   * A response body that fails when the client is gone. The framework's stream would accept bytes
   * that are never read, so a long response would be computed to its end.
   */
  private static final class ClientStream extends FilterOutputStream {

    private final HttpServerResponse response;

    ClientStream(OutputStream out, HttpServerResponse response) {
      super(out);
      this.response = response;
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      if (response.closed()) {
        throw new IOException("The client closed the connection");
      }
      out.write(bytes, start, length);
    }
  }
}
