package io.github.bloomgate.api;

import io.github.bloomgate.api.stream.ElementStream;
import io.github.bloomgate.api.stream.StreamAnswer;
import io.github.bloomgate.api.stream.StreamBody;
import io.github.bloomgate.api.stream.StreamSlots;
import io.github.bloomgate.api.stream.Verdicts;
import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.Violation;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.ElementLines;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.service.ElementService;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Streams of elements, added and tested while they arrive. */
@Path("/v1/filters")
@Blocking
@Consumes({LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
@Produces({MediaType.APPLICATION_JSON, LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE})
public class StreamResource {

  private static final String SUMMARY = "summary";

  private static final Map<String, Verdicts> OF_ADD =
      Map.of(
          SUMMARY,
          Verdicts.NONE,
          "flags",
          Verdicts.FLAGS,
          "added",
          Verdicts.LINES_IF_TRUE,
          "known",
          Verdicts.LINES_IF_FALSE);

  private static final Map<String, Verdicts> OF_TEST =
      Map.of(
          SUMMARY,
          Verdicts.NONE,
          "flags",
          Verdicts.FLAGS,
          "present",
          Verdicts.LINES_IF_TRUE,
          "absent",
          Verdicts.LINES_IF_FALSE);

  private final ElementService elements;
  private final StreamSlots slots;

  StreamResource(ElementService elements, StreamSlots slots) {
    this.elements = elements;
    this.slots = slots;
  }

  @POST
  @Path("/{name}/add")
  public Response add(
      @RestPath String name,
      @RestQuery @DefaultValue("utf-8") String encoding,
      @RestQuery("return") @DefaultValue(SUMMARY) String returned,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var verdicts = verdicts(OF_ADD, returned);
    var answer = StreamAnswer.of(verdicts, headers, context);
    var lines = open(filterName, encoding, body, headers, context);
    var stream = ElementStream.ofAdds(lines, batch -> elements.add(filterName, batch), verdicts);
    return answer.run(stream, () -> new AddSummary(stream.received(), stream.trueCount()));
  }

  @POST
  @Path("/{name}/test")
  public Response test(
      @RestPath String name,
      @RestQuery @DefaultValue("utf-8") String encoding,
      @RestQuery("return") @DefaultValue(SUMMARY) String returned,
      InputStream body,
      @Context HttpHeaders headers,
      @Context RoutingContext context)
      throws IOException {
    var filterName = new FilterName(name);
    var verdicts = verdicts(OF_TEST, returned);
    var answer = StreamAnswer.of(verdicts, headers, context);
    var lines = open(filterName, encoding, body, headers, context);
    var stream = ElementStream.ofTests(lines, batch -> elements.test(filterName, batch), verdicts);
    return answer.run(stream, () -> new TestSummary(stream.received(), stream.trueCount()));
  }

  private ElementLines open(
      FilterName name,
      String encoding,
      InputStream body,
      HttpHeaders headers,
      RoutingContext context) {
    StrictQuery.read(context.request(), Set.of("encoding", "return"));
    var lines =
        StreamBody.lines(
            context.request(), headers.getMediaType(), body, ElementEncoding.named(encoding));
    slots.take(context);
    elements.requireUsable(name).await().indefinitely();
    return lines;
  }

  private static Verdicts verdicts(Map<String, Verdicts> known, String returned) {
    var verdicts = known.get(returned);
    if (verdicts == null) {
      var message = "must be one of " + String.join(", ", new TreeSet<>(known.keySet()));
      throw BloomException.invalidRequest(
          "return %s. Send one of them.".formatted(message),
          List.of(new Violation("query", "return", message)));
    }
    return verdicts;
  }
}
