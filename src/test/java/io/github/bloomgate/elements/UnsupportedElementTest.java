package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 5: an element that the filter's scheme cannot hash changes nothing. */
@OnRedis
class UnsupportedElementTest {

  private static TestInstance service;

  @Test
  void invalidTextIsRefusedWithItsIndex() {
    var name = name();
    var scheme = HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow();
    service.create(name, FilterParameters.forShape(scheme, 1 << 16, 6, WhenFull.ACCEPT));
    var text = "caf\u00e9".getBytes(StandardCharsets.UTF_8);
    var noText = new byte[] {'s', 'e', 'c', 'r', 'e', 't', (byte) 0xff};

    for (var question : List.of(true, false)) {
      var refusal =
          assertThrows(
              BloomException.class,
              () ->
                  await(
                      question
                          ? service.elements.test(name, List.of(text, noText))
                          : service.elements.add(name, List.of(text, noText))));
      assertEquals(ErrorCode.INVALID_REQUEST, refusal.code());
      assertTrue(refusal.getMessage().contains("index 1 is not valid UTF-8"), refusal::getMessage);
      assertEquals(0, service.describe(name).statistics().bitsSet());
    }
    assertEquals(true, service.add(name, List.of(text))[0]);
    assertEquals(true, service.test(name, List.of(text))[0]);
    service.assertCountsAreExact(name);
  }
}
