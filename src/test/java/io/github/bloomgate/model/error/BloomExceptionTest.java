package io.github.bloomgate.model.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BloomExceptionTest {

  @Test
  void makesNoLinesOfItsOwnInALog() {
    var failure = RequestErrors.invalid("The key a\nb\r\u001B[31m\u0085c\u2028d is none.");
    assertEquals("The key a?b??[31m?c?d is none.", failure.getMessage());
  }
}
