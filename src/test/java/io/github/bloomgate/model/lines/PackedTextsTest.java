package io.github.bloomgate.model.lines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedTextsTest {

  @Test
  void textsAndBytesMatchStrings() {
    var seed = System.nanoTime();
    System.out.println("PackedTextsTest: seed " + seed);
    var random = new Random(seed);
    var texts = new ArrayList<String>();
    var packed = new PackedTexts();
    for (var i = 0; i < 2_000; i++) {
      var text = random(random);
      texts.add(text);
      add(packed, text);
    }
    assertEquals(texts, packed);
    var elements = ElementEncoding.UTF_8.decodeAll(packed, "body");
    assertInstanceOf(PackedElements.class, elements);
    for (var i = 0; i < texts.size(); i++) {
      assertArrayEquals(texts.get(i).getBytes(StandardCharsets.UTF_8), elements.get(i));
    }
  }

  private static String random(Random random) {
    var text = new StringBuilder();
    var length = random.nextInt(random.nextInt(20) == 0 ? 5_000 : 30);
    for (var i = 0; i < length; i++) {
      var point = random.nextInt(1 << (7 + 7 * random.nextInt(3))) % Character.MAX_CODE_POINT;
      text.appendCodePoint(isSurrogate(point) ? 'x' : point);
    }
    return text.toString();
  }

  private static boolean isSurrogate(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "a\udc00", "\ud83d\ud83d\ude00", "x\ude00\ud83d"})
  void halfOfASurrogatePairIsNoElement(String text) {
    var packed = new PackedTexts();
    add(packed, "before");
    add(packed, text);
    add(packed, "after");
    var refused =
        assertThrows(BloomException.class, () -> ElementEncoding.UTF_8.decodeAll(packed, "body"));
    assertTrue(refused.getMessage().contains("index 1"), refused.getMessage());
    assertEquals("after", packed.get(2));
  }

  @Test
  void nullIsNoElement() {
    var packed = new PackedTexts();
    packed.addNull();
    for (var encoding : ElementEncoding.values()) {
      assertThrows(BloomException.class, () -> encoding.decodeAll(packed, "body"));
    }
  }

  @Test
  void elementsAreBounded() {
    var packed = new PackedTexts();
    add(packed, "\u20ac".repeat(ElementEncoding.MAX_ELEMENT_BYTES / 3));
    assertEquals(
        ElementEncoding.MAX_ELEMENT_BYTES - 1,
        ElementEncoding.UTF_8.decodeAll(packed, "body").get(0).length);
    add(packed, "\u20ac".repeat(ElementEncoding.MAX_ELEMENT_BYTES / 3 + 1));
    assertThrows(BloomException.class, () -> ElementEncoding.UTF_8.decodeAll(packed, "body"));
  }

  @Test
  void textOfOtherEncodingsIsDecoded() {
    var packed = new PackedTexts();
    add(packed, "00ff");
    add(packed, "");
    var elements = ElementEncoding.HEX.decodeAll(packed, "body");
    assertArrayEquals(new byte[] {0, (byte) 0xff}, elements.get(0));
    assertEquals(0, elements.get(1).length);
    assertEquals(List.of("00ff", ""), packed);
  }

  /** As a parser hands it over: some characters of a larger array. */
  private static void add(PackedTexts packed, String text) {
    var chars = ("<<" + text + ">>").toCharArray();
    packed.add(chars, 2, text.length());
  }
}
