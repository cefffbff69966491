package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.StoredContent.Raw;
import io.vertx.redis.client.Response;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** Calls of the scripts on a filter whose bitmap is in a library's key. */
abstract class AdoptionCalls extends ScriptsOfFilters {

  /** 17 bytes, the last one only partly used. */
  static final int BITS = 130;

  static final int HASHES = 3;

  static final Verdict NEW = Verdict.CHANGED;
  static final Verdict MAYBE = Verdict.KNOWN;
  static final Verdict NO = Verdict.ABSENT;

  FilterName name;
  AdoptedBitmap bitmap;
  RawStore raws;

  @BeforeEach
  void choose() {
    raws = new RawStore(link.scripts(), link.link());
    use("redisson");
  }

  /** Uses the keys of a library with this scheme. */
  void use(String id) {
    name = name();
    var scheme = HashSchemes.named(id).orElseThrow();
    bitmap =
        new AdoptedBitmap(
            AdoptedKey.of(scheme, "bloom of " + name),
            FilterParameters.forShape(scheme, BITS, HASHES, WhenFull.ACCEPT));
  }

  String bits() {
    return bitmap.key().redisKey();
  }

  String companion() {
    return bitmap.key().companionKey().orElseThrow();
  }

  Response redis(Object... words) {
    var texts = java.util.Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    return redis.command(texts[0], java.util.Arrays.copyOfRange(texts, 1, texts.length));
  }

  ChangeReply adopt(Optional<Instant> expiry) {
    return raws.adopt(name, state(name, expiry), bitmap, true);
  }

  void adopt() {
    assertDone(adopt(Optional.empty()));
  }

  Raw live() {
    return new Raw(live(name), bitmap.parameters().shape(), Optional.of(bitmap));
  }

  Raw next() {
    return new Raw(next(name), bitmap.parameters().shape(), Optional.empty());
  }

  /** Elements of three bits each. */
  static byte[] elements(int... offsets) {
    var bytes = ByteBuffer.allocate(Integer.BYTES * offsets.length);
    for (var offset : offsets) {
      bytes.putInt(offset);
    }
    return bytes.array();
  }

  List<Verdict> test(Raw raw, int... offsets) {
    return answers(TestStores.test(segments, bits(raw, offsets)));
  }

  List<Verdict> add(Raw raw, int... offsets) {
    return addAll(bits(raw, offsets));
  }

  static RawBits bits(Raw raw, int... offsets) {
    return new RawBits(raw, elements(offsets), 0);
  }

  /** Repeats the call while the bitmap grows. */
  List<Verdict> addAll(Bits bits) {
    var reply = replyToAdd(bits);
    return reply instanceof BitsReply.Postponed ? addAll(bits) : answers(reply);
  }

  BitsReply replyToAdd(Bits bits) {
    return TestStores.add(segments, bits);
  }

  static List<Verdict> answers(BitsReply reply) {
    if (reply instanceof BitsReply.Failed failed) {
      throw failed.failure();
    }
    return ((BitsReply.Verdicts) reply).verdicts();
  }

  void assertCounts(long bitsSet, long insertions, Raw raw) {
    assertEquals(new SegmentCounts(bitsSet, insertions), TestLink.await(raws.counts(raw)));
  }

  ChangeReply commit() {
    var known = found(name).state().withWritten(Written.NONE);
    return stores.commit(name, known, NewExpiry.KEEP, Optional.of(bitmap));
  }

  ChangeReply clear() {
    return stores.clear(name, Written.NONE, Optional.of(bitmap));
  }

  ChangeReply expire(Optional<Instant> expiry) {
    return filters.expire(
        name,
        found(name).state(),
        TestStores.random(),
        Optional.empty(),
        NewExpiry.of(expiry),
        List.of(),
        Optional.of(bitmap));
  }

  ChangeReply delete(Optional<AdoptedBitmap> too) {
    var state = found(name).state();
    return filters.delete(name, RemovedFilter.of(state, Optional.empty()), too);
  }
}
