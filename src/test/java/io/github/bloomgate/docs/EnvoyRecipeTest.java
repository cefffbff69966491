package io.github.bloomgate.docs;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.ProjectFiles;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The documented configuration follows Envoy's schemas, according to classes generated from them.
 */
@Tag("slow")
class EnvoyRecipeTest {

  private static final String EXTENSIONS = "io.envoyproxy.envoy.extensions.filters.";
  private static final String CONNECTIONS =
      EXTENSIONS + "network.http_connection_manager.v3.HttpConnectionManager";

  @Test
  void theConfigurationFollowsTheSchema() throws Exception {
    validate(configuration());
  }

  static JsonNode configuration() {
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
      for (var type : List.of("http.ext_authz.v3.ExtAuthz", "http.router.v3.Router")) {
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
