package io.github.bloomgate.lines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

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
    assertTrue(packed.areElements());
    var elements = packed.toElements();
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

  /** Adds a text like the parser does: as characters within a larger array. */
  private static void add(PackedTexts packed, String text) {
    var chars = ("<<" + text + ">>").toCharArray();
    packed.add(chars, 2, text.length());
  }
}
