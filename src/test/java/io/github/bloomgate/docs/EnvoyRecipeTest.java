package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.ProjectFiles;
import io.vertx.redis.client.Response;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Envoy accepts the documented configuration, according to the classes generated from its schemas.
 * Redis runs the configuration's Lua with a request that records its calls.
 */
@Tag("slow")
class EnvoyRecipeTest {

  private static final String EXTENSIONS = "io.envoyproxy.envoy.extensions.filters.";
  private static final String CONNECTIONS =
      EXTENSIONS + "network.http_connection_manager.v3.HttpConnectionManager";

  /** Prints the request to the gate and the response to the client; '' if the request passes. */
  private static final String RUN =
      """
      local %s
      local asked, got = '', ''
      local headers = {[':path'] = ARGV[1], [':method'] = ARGV[3], ['content-type'] = 'form'}
      local access = {
        get = function(_, name) return headers[name] end,
        replace = function(_, name, value) headers[name] = value end,
        remove = function(_, name) headers[name] = nil end
      }
      envoy_on_request({
        headers = function() return access end,
        httpCall = function(_, cluster, headers, body, milliseconds)
          asked = cluster .. ' ' .. headers[':method'] .. ' ' .. headers[':path'] .. ' '
            .. headers['authorization'] .. ' ' .. milliseconds
          return {[':status'] = ARGV[2]}
        end,
        respond = function(_, headers) got = headers[':status'] end
      })
      return {asked, got, headers[':path'] .. ' ' .. (headers['content-type'] or 'plain')}
      """;

  @Test
  void theConfigurationFollowsTheSchema() throws Exception {
    validate(configuration());
  }

  @ParameterizedTest
  @CsvSource({
    "/redeem?code=SPRING-7Q2, 204, SPRING-7Q2, ''",
    "/redeem?a=b&code=SPRING%207Q2&c=d, 204, SPRING%207Q2, ''",
    "/redeem?code=SUMMER-1AB, 403, SUMMER-1AB, 403",
    "/redeem?barcode=1, 403, '', 403",
    "/redeem, 403, '', 403",
    "/redeem?code=SPRING-7Q2, 401, SPRING-7Q2, 503",
    "/redeem?code=SPRING-7Q2, 404, SPRING-7Q2, 503",
    // Envoy's own response if the service fails or times out.
    "/redeem?code=SPRING-7Q2, 504, SPRING-7Q2, 503",
    "/redeem?code=SPRING-7Q2, 503, SPRING-7Q2, 503",
    "/redeem?CODE=bad&code=SPRING-7Q2, 204, SPRING-7Q2, ''",
    "/redeem?code=SPRING-7Q2&code=bad&c%6Fde=bad, 204, SPRING-7Q2, ''",
    "/redeem?code=SPRING-7Q2#&code=bad, 204, SPRING-7Q2, ''",
    "/redeem;&code=SPRING-7Q2&?code=bad, 204, bad, ''",
    "/redeem?x?code=SPRING-7Q2, 403, '', 403",
  })
  void onlyElementsThatMayExistPass(String path, String answer, String element, String refusal)
      throws Exception {
    var passed =
        refusal.isEmpty()
            ? path.substring(0, path.indexOf('?')) + "?code=" + element + " plain"
            : path + " form";
    assertEquals(
        List.of(
            "bloomgate GET /v1/gate/coupons?element=%s Basic <basic> 100".formatted(element),
            refusal,
            passed),
        run(path, answer, "GET"));
  }

  @Test
  void noFormPasses() throws Exception {
    var path = "/redeem?code=SPRING-7Q2";
    assertEquals(List.of("", "405", path + " form"), run(path, "204", "POST"));
  }

  private static List<String> run(String path, String answer, String method) throws Exception {
    var code = configuration().at("/http_filters/0/typed_config/default_source_code/inline_string");
    try (var redis = TestRedis.started()) {
      return redis.command("EVAL", RUN.formatted(code.asText()), "0", path, answer, method).stream()
          .map(Response::toString)
          .toList();
    }
  }

  private static JsonNode configuration() {
    var block = MarkdownFile.read("docs/recipes/gate.md").block("yaml", "http_filters:");
    return ProjectFiles.documents(block).get(0);
  }

  /** Parses it as protobuf, which refuses fields and types that are not in the schema. */
  private static void validate(JsonNode configuration) throws Exception {
    try (var parts = RecipeParts.loader()) {
      var util = "com.google.protobuf.util.JsonFormat";
      var registries = parts.loadClass("com.google.protobuf.TypeRegistry");
      var descriptor = parts.loadClass("com.google.protobuf.Descriptors$Descriptor");
      var types = registries.getMethod("newBuilder").invoke(null);
      for (var type : List.of("http.lua.v3.Lua", "http.router.v3.Router")) {
        var known = parts.loadClass(EXTENSIONS + type).getMethod("getDescriptor").invoke(null);
        types.getClass().getMethod("add", descriptor).invoke(types, known);
      }
      var registry = types.getClass().getMethod("build").invoke(types);
      var parser = parts.loadClass(util).getMethod("parser").invoke(null);
      parser =
          parser.getClass().getMethod("usingTypeRegistry", registries).invoke(parser, registry);
      var builder = parts.loadClass(CONNECTIONS).getMethod("newBuilder").invoke(null);
      parser
          .getClass()
          .getMethod("merge", String.class, parts.loadClass("com.google.protobuf.Message$Builder"))
          .invoke(parser, configuration.toString(), builder);
    }
  }
}
