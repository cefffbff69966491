package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.Contract;
import java.io.IOException;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** No operation of the contract is left out where faults are tried. */
class OperationTest {

  @Test
  void everyOperationOfTheContractIsTried() throws IOException {
    assertEquals(
        Contract.read().ids(),
        Operation.all().map(Operation::id).collect(Collectors.toCollection(TreeSet::new)));
  }
}
