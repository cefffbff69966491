package io.github.bloomgate.http;

import io.github.bloomgate.files.ExportService;
import io.github.bloomgate.files.ImportService;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.connection.ResponseStream;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.limits.StreamSlots;
import io.github.bloomgate.http.request.FileQuery;
import io.github.bloomgate.http.response.EntityTag;
import io.github.bloomgate.http.response.FilterView;
import io.github.bloomgate.http.response.FilterViews;
import io.github.bloomgate.http.stream.BreakableResponses;
import io.github.bloomgate.lines.ContentCoding;
import io.github.bloomgate.lines.UnpackedInput;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.RequestErrors;
import io.smallrye.common.annotation.Blocking;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.Status;

/** Exports and imports files in the formats of the service and of other libraries. */
@Path("/v1/filters")
public class PortableFileResource {

  /** Up to this length a file is complete before the status is sent, so a failure has its own. */
  private static final int SMALL = 1 << 20;

  /** Heads of blocks are written one by one. */
  private static final int BUFFER = 1 << 14;

  private final ExportService exports;
  private final ImportService imports;
  private final FilterViews views;
  private final Caller caller;
  private final StreamSlots slots;
  private final BreakableResponses responses;

  PortableFileResource(
      ExportService exports,
      ImportService imports,
      FilterViews views,
      Caller caller,
      StreamSlots slots,
      BreakableResponses responses) {
    this.exports = exports;
    this.imports = imports;
    this.views = views;
    this.caller = caller;
    this.slots = slots;
    this.responses = responses;
  }

  @GET
  @Path("/{name}/export")
  @Blocking
  @Produces(MediaType.APPLICATION_OCTET_STREAM)
  public RestResponse<Object> export(FilterName name, RoutingContext context) throws IOException {
    var query = ApiRequest.query(context);
    var format = FileQuery.format(query);
    var isPlain = query.flag("plain");
    Exchange.of(context).reserve(ResponseStream.MOST_UNDER_WAY);
    var slot = slots.ofFile(context);
    slot.take();
    slot.giveBackAtEnd();
    var export = exports.begin(name, format, isPlain);
    var request = context.request();
    var isSmall = export.length() <= SMALL;
    var isHead = request.method().equals(HttpMethod.HEAD);
    var tag = Optional.<EntityTag>empty();
    if (isHead || !isSmall || request.headers().contains(HttpHeaders.IF_NONE_MATCH)) {
      tag = tag(export.identity(), isSmall);
      if (tag.isPresent() && tag.get().isHeldBy(request)) {
        return tagged(RestResponse.ResponseBuilder.create(Status.NOT_MODIFIED), tag).build();
      }
    }
    if (isHead) {
      return head(export, new byte[0], tag);
    }
    if (isSmall) {
      var file = whole(export);
      // Elements may have been added since the tag was read.
      return head(export, body(file::writeTo, slot), tag(export.writtenIdentity(), true));
    }
    export.tryFirst();
    return head(export, body(export::writeTo, slot), tag);
  }

  /** The tag of a file, weak if elements that are added while it is sent may be in it. */
  private static Optional<EntityTag> tag(Optional<byte[]> identity, boolean isSmall) {
    return identity.map(EntityTag::of).map(strong -> isSmall ? strong : strong.weak());
  }

  private static RestResponse.ResponseBuilder<Object> tagged(
      RestResponse.ResponseBuilder<Object> response, Optional<EntityTag> tag) {
    tag.ifPresent(its -> response.header(HttpHeaders.ETAG, its.text()));
    return response;
  }

  private static RestResponse<Object> head(
      ExportService.Export export, Object body, Optional<EntityTag> tag) {
    return tagged(RestResponse.ResponseBuilder.ok(body), tag)
        .header(HttpHeaders.CONTENT_LENGTH, export.length())
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            "attachment; filename=\"%s\"".formatted(export.fileName()))
        .build();
  }

  private Object body(StreamingOutput file, StreamSlots.Slot slot) {
    return responses.of(
        out -> {
          try (slot) {
            var buffered = new BufferedOutputStream(out, BUFFER);
            file.write(buffered);
            buffered.flush();
          }
        });
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
      var view = views.of(loaded);
      return loaded.live().number() == 1
          ? CreatedResponse.of(view, "v1/filters/" + name, context)
          : RestResponse.ok(view);
    }
  }

  /**
   * The file in a body, decompressed according to its content coding or, if it names none, its
   * first bytes. A bitmap may begin with any bytes, so {@code identity} prevents a guess.
   */
  private static InputStream unpacked(MultiMap headers, InputStream body) {
    var sent = headers.getAll(HttpHeaders.CONTENT_ENCODING);
    var coding = ContentCoding.of(sent).orElseThrow(() -> RequestErrors.unsupportedCoding(sent));
    var isPlain = headers.contains(HttpHeaders.CONTENT_ENCODING, "identity", true);
    return coding == ContentCoding.GZIP || isPlain
        ? coding.decode(body)
        : new UnpackedInput(body, true);
  }

  private static ByteArrayOutputStream whole(ExportService.Export export) throws IOException {
    var file = new ByteArrayOutputStream();
    export.writeTo(file);
    return file;
  }
}
