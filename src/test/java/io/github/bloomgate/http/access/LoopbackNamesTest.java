package io.github.bloomgate.http.access;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void loopbackAddresses(String address) {
    assertTrue(LoopbackNames.isLoopback(address));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "10.0.0.1",
        "128.0.0.1",
        "0.0.0.0",
        "::",
        "::2",
        "::ffff:10.0.0.1",
        "fe80::1",
        "x"
      })
  void otherAddresses(String address) {
    assertFalse(LoopbackNames.isLoopback(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:8080",
        "bloom.localhost:80",
        "127.0.0.1",
        "127.0.0.1:8080",
        "[::1]",
        "[::1]:8080",
        "[::ffff:127.0.0.1]:1"
      })
  void hostsOfThisMachine(String host) {
    assertTrue(LoopbackNames.isLoopbackHost(host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":8080",
        "notlocalhost",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8080",
        "[::2]:8080",
        "[::1",
        "192.168.0.1:8080",
        "2130706433",
        "0x7f.1"
      })
  void otherHosts(String host) {
    assertFalse(LoopbackNames.isLoopbackHost(host));
  }
}
