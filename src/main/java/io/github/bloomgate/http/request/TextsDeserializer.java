package io.github.bloomgate.http.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.lines.PackedTexts;
import java.io.IOException;
import java.util.List;

/** Reads an array of strings without creating String objects. */
public class TextsDeserializer extends JsonDeserializer<List<String>> {

  private final int most;

  /** For elements. */
  public TextsDeserializer() {
    this(ElementService.MAX_ELEMENTS);
  }

  /**
   * @param most the most texts that a request may have; one more is kept, so that it is refused
   */
  private TextsDeserializer(int most) {
    this.most = most;
  }

  /**
   * For the names of filters. They are validated one by one before they are counted, and the time
   * for that grows with the square of the number of invalid ones.
   */
  public static final class OfNames extends TextsDeserializer {
    public OfNames() {
      super(ElementService.MAX_FILTERS);
    }
  }

  @Override
  public List<String> deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    if (!parser.isExpectedStartArrayToken()) {
      context.handleUnexpectedToken(List.class, parser);
    }
    var texts = new PackedTexts();
    for (var token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      if (texts.size() > most) {
        // Further ones are not stored, because too many are refused anyway.
        parser.skipChildren();
      } else if (token == JsonToken.VALUE_STRING) {
        texts.add(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
      } else if (token == JsonToken.VALUE_NULL) {
        texts.addNull();
      } else {
        var notText = MismatchedInputException.from(parser, String.class, "not a string");
        throw JsonMappingException.wrapWithPath(notText, List.of(), texts.size());
      }
    }
    return texts;
  }
}
