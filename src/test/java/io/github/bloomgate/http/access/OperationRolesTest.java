package io.github.bloomgate.http.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.support.Contract;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every operation declares its role, and the contract names it. */
class OperationRolesTest {

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
  void theContractNamesTheRoleOfEveryOperation() {
    var inCode =
        Operations.all().stream()
            .map(o -> o.verb() + " " + o.path() + " " + o.role().roleName())
            .collect(Collectors.toCollection(TreeSet::new));
    var inContract =
        Contract.read().operations().stream()
            .map(o -> o.method() + " " + o.path() + " " + o.role())
            .collect(Collectors.toCollection(TreeSet::new));

    assertEquals(inCode, inContract);
  }
}
