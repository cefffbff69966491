package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The caller is an event loop, so a worker hashes elements that take long. */
@OnRedis
class HashingThreadTest {

  private static TestInstance service;

  @Test
  void longElementsOfASlowSchemeAreHashedByAWorker() {
    var name = name();
    var scheme = HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow();
    service.create(name, FilterParameters.forShape(scheme, 1 << 16, 255, WhenFull.ACCEPT));
    service.test(name, List.of(element(1)));

    assertSame(Thread.currentThread(), hashing(name, 100));
    assertNotSame(Thread.currentThread(), hashing(name, ElementEncoding.MAX_ELEMENT_BYTES));
  }

  /** The thread that hashes an element of this length. */
  private static Thread hashing(FilterName name, int length) {
    var last = new AtomicReference<Thread>();
    var elements =
        new AbstractList<byte[]>() {
          @Override
          public byte[] get(int index) {
            last.set(Thread.currentThread());
            return element(length);
          }

          @Override
          public int size() {
            return 1;
          }
        };
    await(service.elements.test(name, elements));
    return last.get();
  }

  private static byte[] element(int length) {
    return "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
  }
}
