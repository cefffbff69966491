package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.ProjectFiles;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The manifests match the Kubernetes API: they have only known fields and all required ones. Reads
 * them with the Java client, whose models are generated from the API's schemas.
 */
@Tag("slow")
class KubernetesSchemaTest {

  @Test
  void everyManifestFollowsItsSchema() throws Exception {
    var kinds = new ArrayList<String>();
    try (var client = RecipeParts.loader()) {
      for (var manifest : manifests()) {
        var kind = manifest.path("kind").asText();
        // The Prometheus operator defines this kind.
        if (!kind.equals("ServiceMonitor")) {
          validate(client, manifest);
          kinds.add(kind);
        }
      }
    }
    assertTrue(
        kinds.containsAll(
            List.of(
                "Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "StatefulSet")),
        kinds.toString());
  }

  static List<JsonNode> manifests() {
    return ProjectFiles.under("deploy/kubernetes").stream()
        .flatMap(file -> ProjectFiles.documents(ProjectFiles.text(file)).stream())
        .toList();
  }

  /** Throws if an object of a Kubernetes kind does not match its schema. */
  static void validate(ClassLoader client, JsonNode manifest) throws Exception {
    var version = manifest.path("apiVersion").asText().replaceFirst(".*/", "");
    var model =
        client.loadClass(
            "io.kubernetes.client.openapi.models."
                + version.toUpperCase(Locale.ROOT)
                + manifest.path("kind").asText());
    try {
      var read = model.getMethod("fromJson", String.class).invoke(null, manifest.toString());
      assertEquals(model, read.getClass());
      var parser = client.loadClass("com.google.gson.JsonParser");
      var json = parser.getMethod("parseString", String.class).invoke(null, manifest.toString());
      model
          .getMethod("validateJsonElement", client.loadClass("com.google.gson.JsonElement"))
          .invoke(null, json);
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof IllegalArgumentException invalid) {
        throw invalid;
      }
      throw refused;
    }
  }
}
