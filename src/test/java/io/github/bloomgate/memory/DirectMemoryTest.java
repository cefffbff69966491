package io.github.bloomgate.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import java.math.BigInteger;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DirectMemoryTest {

  private static final long MIB = 1 << 20;

  private static long copies(long all) {
    return DirectMemory.forCopies(Optional.empty(), all * MIB) / MIB;
  }

  private static long copies(long set, long all) {
    var setting = new MemorySize(BigInteger.valueOf(set * MIB));
    return DirectMemory.forCopies(Optional.of(setting), all * MIB) / MIB;
  }

  @Test
  void theDefaultLeavesMemoryForNetworkBuffers() {
    assertEquals(128, copies(4_096));
    assertEquals(128, copies(192));
    assertEquals(64, copies(128));
    assertEquals(12, copies(24));
  }

  @Test
  void aSettingThatLeavesTooLittleIsRefused() {
    assertEquals(128, copies(128, 192));
    assertEquals(1, copies(1, 192));
    var refusal = assertThrows(ConfigurationException.class, () -> copies(129, 192));
    var message = refusal.getMessage();
    for (var bytes : new long[] {129 * MIB, 128 * MIB, 192 * MIB, 193 * MIB}) {
      assertTrue(message.contains(String.valueOf(bytes)), message);
    }
  }
}
