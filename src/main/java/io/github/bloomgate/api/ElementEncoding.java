package io.github.bloomgate.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.Violation;
import io.github.bloomgate.service.ElementService;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** How the text of a request stands for the bytes of an element. */
enum ElementEncoding {
  /** The text's UTF-8 bytes. */
  @JsonProperty("utf-8")
  UTF_8 {
    @Override
    byte[] decode(String text) throws CharacterCodingException {
      // Not getBytes: it would turn a lone surrogate into '?', and so two elements into one.
      var bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOfRange(bytes.array(), bytes.arrayOffset(), bytes.limit());
    }

    @Override
    String mistake() {
      return "is not valid Unicode: it holds half of a surrogate pair";
    }
  },

  /** Base64, of the standard or the URL-safe alphabet, padded or not. */
  @JsonProperty("base64")
  BASE64 {
    @Override
    byte[] decode(String text) {
      var urlSafe = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
      return (urlSafe ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
    }

    @Override
    String mistake() {
      return "is not base64";
    }
  },

  /** Two hexadecimal digits a byte, of either case. */
  @JsonProperty("hex")
  HEX {
    @Override
    byte[] decode(String text) {
      return HexFormat.of().parseHex(text);
    }

    @Override
    String mistake() {
      return "is not an even number of hexadecimal digits";
    }
  };

  /** The bytes a text stands for, or an exception of the decoder's if it stands for none. */
  abstract byte[] decode(String text) throws CharacterCodingException;

  /** What is wrong with a text that {@link #decode} refuses. */
  abstract String mistake();

  /**
   * The bytes of all elements of a request.
   *
   * @param in where the elements are, for the error: {@code body} or {@code query}
   * @throws BloomException INVALID_REQUEST that names the first element at fault by its index
   */
  List<byte[]> decodeAll(List<String> texts, String in) {
    var elements = new ArrayList<byte[]>(texts.size());
    for (var text : texts) {
      elements.add(decode(text, in, elements.size()));
    }
    return elements;
  }

  private byte[] decode(String text, String in, int index) {
    if (text == null) {
      throw invalid(in, index, "is null; an element is a string");
    }
    byte[] element;
    try {
      element = decode(text);
    } catch (CharacterCodingException | IllegalArgumentException malformed) {
      throw invalid(in, index, mistake());
    }
    if (element.length > ElementService.MAX_ELEMENT_BYTES) {
      throw invalid(
          in,
          index,
          "has %d bytes; the limit is %d"
              .formatted(element.length, ElementService.MAX_ELEMENT_BYTES));
    }
    return element;
  }

  private static BloomException invalid(String in, int index, String message) {
    return BloomException.invalidRequest(
        "The element at index %d %s. Nothing was changed; correct it and repeat the request."
            .formatted(index, message),
        List.of(new Violation(in, "elements[%d]".formatted(index), message)));
  }
}
