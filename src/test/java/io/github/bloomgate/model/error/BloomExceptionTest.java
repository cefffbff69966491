package io.github.bloomgate.model.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BloomExceptionTest {

  @Test
  void messagesCannotAddLinesToALog() {
    var failure =
        RequestErrors.invalid("The key a\nb\r\u001B[31m\u0085c\u2028d\u202ee\u200bf is none.");
    assertEquals("The key a?b??[31m?c?d?e?f is none.", failure.getMessage());
  }
}
