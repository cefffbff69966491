package io.github.bloomgate.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The bits of a filter as a follower sees them: planes, and what was sent of them. */
public final class FollowedFilter {

  /** Bits of a plane with room for 100 elements at 1 %. */
  public static final int SMALL = 960;

  /** The secret and the key of {@link #keyed}, as in {@code docs/hash-schemes.md}. */
  public static final String SECRET =
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

  private static final String KEY =
      "8497825a3863138b30ebcf85451f91f61c1fb87a13304454180c33e5dda1541e";
  private static final KeyOrigin ORIGIN =
      new KeyOrigin("e3fba182209e4c11", "00112233445566778899aabbccddeeff");

  private static final int K = 7;

  private final String incarnation;
  private final HashScheme scheme;
  private final String kind;
  private final int planes;
  private final int bitsOfPosition;
  private final List<FilterShape> layers = new ArrayList<>();
  private final List<byte[]> content = new ArrayList<>();
  private final List<byte[]> sent = new ArrayList<>();

  private FollowedFilter(
      String incarnation,
      HashScheme scheme,
      String kind,
      int planes,
      int bitsOfPosition,
      int segments,
      int bits) {
    this.incarnation = incarnation;
    this.scheme = scheme;
    this.kind = kind;
    this.planes = planes;
    this.bitsOfPosition = bitsOfPosition;
    grow(segments, bits);
  }

  public static FollowedFilter fixed(String incarnation, int segments, int bits) {
    var kind = "\"whenFull\":\"accept\",\"counting\":false";
    var scheme = HashSchemes.nativeScheme();
    return new FollowedFilter(incarnation, scheme, kind, 1, 1, segments, bits);
  }

  public static FollowedFilter growing(String incarnation) {
    var kind =
        "\"whenFull\":\"grow\",\"growth\":{\"factor\":2,\"maxSizeBytes\":1048576},\"counting\":false";
    return new FollowedFilter(incarnation, HashSchemes.nativeScheme(), kind, 1, 1, 1, SMALL);
  }

  public static FollowedFilter counting(String incarnation) {
    var kind = "\"whenFull\":\"accept\",\"counting\":true";
    return new FollowedFilter(incarnation, HashSchemes.nativeScheme(), kind, 1, 4, 2, SMALL);
  }

  /** With 18 rings. */
  public static FollowedFilter window(String incarnation) {
    var kind =
        "\"whenFull\":\"accept\",\"window\":{\"seconds\":3600,\"insertions\":0,\"slices\":2,"
            + "\"refresh\":true},\"counting\":false";
    return new FollowedFilter(incarnation, HashSchemes.nativeScheme(), kind, 18, 1, 1, SMALL);
  }

  /** With a key of {@link #SECRET}. */
  public static FollowedFilter keyed(String incarnation) {
    var scheme = HashSchemes.keyed(ORIGIN, Optional.of(HexFormat.of().parseHex(KEY)));
    var kind =
        "\"hashKey\":{\"secretId\":\"%s\",\"salt\":\"%s\"},\"whenFull\":\"accept\",\"counting\":false"
            .formatted(ORIGIN.secretId(), ORIGIN.salt());
    return new FollowedFilter(incarnation, scheme, kind, 1, 1, 1, SMALL);
  }

  /** Adds a layer. */
  public FollowedFilter grow(int segments, int bits) {
    layers.add(new FilterShape(segments, bits, K));
    for (var i = 0; i < segments * planes; i++) {
      content.add(new byte[bits / Byte.SIZE]);
      sent.add(new byte[bits / Byte.SIZE]);
    }
    return this;
  }

  /** Sets the bits of elements in one plane of the newest layer. */
  public FollowedFilter add(int plane, String... elements) {
    var layer = layers.get(layers.size() - 1);
    var words = new long[2];
    var positions = new long[K];
    for (var element : elements) {
      var bytes = element.getBytes(UTF_8);
      scheme.hash(bytes, 0, bytes.length, words);
      var segment = firstSegment(layers.size() - 1) + scheme.place(words, 0, layer, positions);
      for (var position : positions) {
        plane(segment, plane)[(int) position / Byte.SIZE] |=
            (byte) (0x80 >> (position % Byte.SIZE));
      }
    }
    return this;
  }

  public void empty(int segment, int plane) {
    content.set(segment * planes + plane, new byte[plane(segment, plane).length]);
  }

  byte[] plane(int segment, int plane) {
    return content.get(segment * planes + plane);
  }

  void sent(int segment, int plane) {
    sent.set(segment * planes + plane, plane(segment, plane).clone());
  }

  /** What has changed since the last frame, as entries of a PATCH. */
  List<Integer> changes(int segment, int plane) {
    var now = plane(segment, plane);
    var before = sent.get(segment * planes + plane);
    return IntStream.range(0, now.length)
        .filter(offset -> now[offset] != before[offset])
        .mapToObj(offset -> (offset << Byte.SIZE) | (now[offset] & 0xff))
        .toList();
  }

  /** The payload of a PLAN. */
  public String plan() {
    var shapes =
        IntStream.range(0, layers.size())
            .mapToObj(
                i ->
                    """
                    {"firstSegment":%d,"expectedInsertions":100,"falsePositiveProbability":0.01,\
                    "shape":{"segments":%d,"segmentBits":%d,"numHashFunctions":%d}}"""
                        .formatted(
                            firstSegment(i),
                            layers.get(i).segments(),
                            layers.get(i).segmentBits() * bitsOfPosition * planes,
                            K))
            .collect(Collectors.joining(","));
    return """
        {"name":"golden","generation":1,"incarnation":"%s","planes":%d,"plan":{"hashScheme":"%s",\
        "expectedInsertions":100,"falsePositiveProbability":0.01,%s,"layers":[%s]}}"""
        .formatted(incarnation, planes, scheme.id(), kind, shapes);
  }

  private int firstSegment(int layer) {
    return layers.subList(0, layer).stream().mapToInt(FilterShape::segments).sum();
  }
}
