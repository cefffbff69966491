package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Quotas let nobody in beyond what they allow, also at once, and everybody as soon as there is
 * room.
 */
class QuotaRaceTest extends CountedInstances {

  private static final int AT_ONCE = 24;

  @Test
  void manyWhoCreateAtOnceGetNoMoreFiltersThanAllowed() {
    assertEquals(2, createdAtOnce(key("n", 2, 0)));
  }

  @Test
  void manyWhoCreateAtOnceGetNoMoreBytesThanAllowed() {
    assertEquals(3, createdAtOnce(key("n", 0, 4 * SMALL_BYTES - 1)));
  }

  /** By turns on two instances; the first of each learns that nothing was counted yet. */
  private int createdAtOnce(Quota quota) {
    var created = new AtomicInteger();
    var all = new ArrayList<CompletableFuture<?>>();
    for (var i = 0; i < AT_ONCE; i++) {
      var by = i % 2 == 0 ? service : other;
      all.add(
          by.begin(
              () -> {
                if (isAllowed(() -> by.creations.create(name(), SMALL, Optional.empty(), quota))) {
                  created.incrementAndGet();
                }
              }));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    assertUsageIsExact();
    return created.get();
  }

  private static boolean isAllowed(Runnable call) {
    try {
      call.run();
      return true;
    } catch (BloomException refusal) {
      assertEquals(ErrorCode.LIMIT_EXCEEDED, refusal.code(), refusal.getMessage());
      return false;
    }
  }

  @Test
  void manyRebuildsOpenedAtOnceGetNoMoreBytesThanAllowed() {
    var quota = key("n", 0, 10 * SMALL_BYTES);
    var names = new ArrayList<FilterName>();
    for (var i = 0; i < 8; i++) {
      names.add(service.create(name(), SMALL).name());
    }
    var opened = new AtomicInteger();
    var all = new ArrayList<CompletableFuture<?>>();
    for (var name : names) {
      all.add(
          service.begin(
              () -> {
                if (isAllowed(() -> open(name, 16, quota))) {
                  opened.incrementAndGet();
                }
              }));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    assertEquals(2, opened.get());
    assertUsageIsExact();
  }

  @Test
  void whatTheServiceLetsAnAdoptedBitmapGrowToCounts() {
    var name = name();
    var large =
        FilterParameters.forShape(
            HashSchemes.named("go-zero").orElseThrow(), 1L << 30, 14, WhenFull.ACCEPT);
    var quota = key("n", 0, 10 << 10);
    refused(
        () ->
            service.adoptions.adopt(
                name,
                name.value(),
                large.hashScheme(),
                Optional.of(large),
                Optional.empty(),
                quota));
    assertEquals(0, redis.command("EXISTS", name.value()).toInteger());
    assertUsageIsExact();
  }

  @Test
  void roomIsThereAsSoonAsSomethingIsDeletedAbortedOrMadeSmaller() {
    var quota = key("n", 2, 3 * SMALL_BYTES);
    var first = create(quota, SMALL);
    var second = create(quota, TestInstance.shape(16 << 10, 5));
    refused(() -> creating(quota));
    service.changes.delete(first, false);
    create(quota, SMALL);

    refused(() -> open(second, 24, quota));
    service.rebuilds.commit(open(second, 8, quota), 0, NewDeadline.KEEP);
    service.rebuilds.abort(open(second, 16, quota));
    open(second, 16, quota);
    assertUsageIsExact();
  }

  private Filter open(FilterName name, int kibibits, Quota quota) {
    return service.openings.open(
        name, live -> TestInstance.shape((long) kibibits << 10, 5), AN_HOUR, quota);
  }
}
