package io.github.bloomgate.http.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.http.security.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every operation declares its role, and the documentation matches. */
class OperationRolesTest {

  private static final Pattern DOCUMENTED =
      Pattern.compile("^\\| `([A-Z]+ /v1\\S*)` \\| `(\\w+)` \\|", Pattern.MULTILINE);

  @TestFactory
  Stream<DynamicTest> everyOperationBearsExactlyOneRole() {
    return Operations.all().stream()
        .map(
            operation ->
                dynamicTest(
                    operation.toString(),
                    () -> {
                      assertEquals(1, operation.roles().size(), operation.method());
                      assertTrue(
                          Role.named(operation.roles().get(0)).isPresent(), operation.method());
                    }));
  }

  @Test
  void theDocumentationNamesTheRoleOfEveryOperation() throws IOException {
    var documented =
        DOCUMENTED
            .matcher(Files.readString(Path.of("docs/security.md")))
            .results()
            .map(row -> row.group(1) + " " + row.group(2))
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(
        Operations.all().stream()
            .map(o -> o.verb() + " " + o.path() + " " + o.role().roleName())
            .collect(Collectors.toCollection(TreeSet::new)),
        documented);
  }
}
