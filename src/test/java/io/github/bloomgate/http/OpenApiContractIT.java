package io.github.bloomgate.http;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reviewed contract {@code openapi.yaml} is, to the byte, what the build makes of the code. */
class OpenApiContractIT {

  private static final Path REVIEWED = Path.of("openapi.yaml");
  private static final Path GENERATED = Path.of("target", "openapi", "openapi.yaml");

  @Test
  void reviewedContractIsTheGeneratedOne() throws IOException {
    if (!Files.exists(GENERATED)) {
      fail(
          GENERATED
              + " was not generated: is quarkus.smallrye-openapi.store-schema-directory still"
              + " set to target/openapi?");
    }
    if (!Files.exists(REVIEWED)) {
      fail(REVIEWED + " is missing. " + howToUpdate());
    }
    var reviewed = Files.readString(REVIEWED).split("\n", -1);
    var generated = Files.readString(GENERATED).split("\n", -1);
    for (var i = 0; i < Math.max(reviewed.length, generated.length); i++) {
      var was = lineOf(reviewed, i);
      var is = lineOf(generated, i);
      if (!was.equals(is)) {
        fail(
            """
            the code no longer says what %s says, from line %d on.
              %s: %s
              the code:     %s
            %s"""
                .formatted(REVIEWED, i + 1, REVIEWED, was, is, howToUpdate()));
      }
    }
  }

  private static String lineOf(String[] lines, int index) {
    return index < lines.length ? lines[index] : "(end of file)";
  }

  private static String howToUpdate() {
    return "If the change is meant, run: cp %s %s and review the difference."
        .formatted(GENERATED, REVIEWED);
  }
}
