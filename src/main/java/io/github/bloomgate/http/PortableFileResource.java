package io.github.bloomgate.http;

import io.github.bloomgate.files.ExportService;
import io.github.bloomgate.files.ImportService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.answer.FilterView;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.StreamSlots;
import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.http.request.FileQuery;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.http.stream.BrokenAnswer;
import io.github.bloomgate.http.stream.StreamBody;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.smallrye.common.annotation.Blocking;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;

/** Exports and imports files in the formats of the service and of other libraries. */
@Path("/v1/filters")
public class PortableFileResource {

  private static final Logger LOG = Logger.getLogger(PortableFileResource.class);

  /** Up to this length a file is complete before the status is sent, so a failure has its own. */
  private static final int SMALL = 1 << 20;

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
    StreamingOutput file = out -> write(export, out, context, slot);
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
  @RolesAllowed(Role.ADMINISTERS)
  @Path("/{name}/import")
  @Blocking
  @Consumes(MediaType.APPLICATION_OCTET_STREAM)
  @Produces(MediaType.APPLICATION_JSON)
  public RestResponse<FilterView> load(FilterName name, InputStream body, RoutingContext context) {
    var description = FileQuery.ofImport(ApiRequest.query(context));
    var file = StreamBody.file(context, body);
    var slot = slots.ofFile(context);
    slot.take();
    try {
      var loaded = imports.load(name, description, file, caller.quota(context));
      var view = FilterView.of(loaded);
      return loaded.filter().generation() == 1
          ? CreatedAnswer.of(view, "v1/filters/" + name, context)
          : RestResponse.ok(view);
    } finally {
      slot.giveBack();
    }
  }

  private static byte[] whole(ExportService.Export export) throws IOException {
    var file = new ByteArrayOutputStream();
    export.writeTo(file);
    return file.toByteArray();
  }

  /**
   * The status has been sent, so a failure can only break the connection. Does not throw, because
   * the framework would turn it into a response.
   */
  private void write(
      ExportService.Export export, OutputStream out, RoutingContext context, Slot slot) {
    try {
      export.writeTo(new ClientStream(out, context.response()));
    } catch (IOException clientGone) {
      LOG.debugf("An export was aborted: %s", clientGone.getMessage());
      BrokenAnswer.end(context);
    } catch (BloomException failed) {
      if (failures.isFirst(failed)) {
        LOG.warnf("An export was aborted with %s: %s", failed.code(), failed.getMessage());
      }
      BrokenAnswer.end(context);
    } catch (RuntimeException defect) {
      LOG.error("An export was aborted", defect);
      BrokenAnswer.end(context);
    } finally {
      slot.giveBack();
    }
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
    public void write(int value) throws IOException {
      checkOpen();
      out.write(value);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      checkOpen();
      out.write(bytes, start, length);
    }

    private void checkOpen() throws IOException {
      if (response.closed()) {
        throw new IOException("The client closed the connection");
      }
    }
  }
}
