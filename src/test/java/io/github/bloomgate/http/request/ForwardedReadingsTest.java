package io.github.bloomgate.http.request;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.support.Seeded;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The element is the only value that any program behind the proxy can read. */
class ForwardedReadingsTest extends Seeded {

  private static final String NAME = "my_code";

  /** Pieces of hostile targets. */
  private static final List<String> PIECES =
      List.of(
          "my_code=",
          "my_code",
          "MY_CODE=",
          "my%5Fcode=",
          "my-code=",
          "my.code=",
          "my_code[]=",
          "[",
          "&my_code=",
          "&",
          "&",
          "&x=",
          "=",
          ";",
          "?",
          "#",
          "%26",
          "%3D",
          "%3F",
          "%23",
          "%3B",
          "%00",
          "%20",
          "+",
          "%2B",
          "%25",
          "%2526",
          "%26my%255Fcode%3D",
          "%26%256Dy_code%3D",
          "%2526my_code%253D",
          "%0A",
          "a",
          "b",
          "a",
          "b",
          "/",
          ",",
          "\\",
          "%");

  /** Random targets of hostile pieces, each read in the ways of many programs. */
  @Test
  void everyProgramReadsTheElementThatWasChecked() {
    var accepted = 0;
    for (var i = 0; i < 100_000; i++) {
      var target = target();
      String element;
      try {
        element = ForwardedElement.inTarget(target, NAME);
      } catch (BloomException refused) {
        continue;
      }
      accepted++;
      assertEquals(Set.of(element), readings(target), target);
    }
    assertTrue(accepted > 100, "only %d were accepted".formatted(accepted));
  }

  private String target() {
    var target = new StringBuilder("/redeem");
    if (random.nextInt(3) == 0) {
      target.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    target.append(random.nextInt(8) == 0 ? "" : "?");
    target.append(random.nextBoolean() ? "my_code=a" : "");
    for (var more = random.nextInt(5); more > 0; more--) {
      target.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return target.toString();
  }

  /**
   * The values of the parameter in all readings of a target. A program that decodes the whole
   * target does not decode a value as a form again: it could read no plus sign at all.
   */
  private static Set<String> readings(String target) {
    var read = new TreeSet<String>();
    for (var whole : List.of(target, target.split("#", 2)[0])) {
      read.addAll(readings(whole, ForwardedReadingsTest::form));
      read.addAll(readings(whole, ForwardedReadingsTest::decoded));
      read.addAll(readings(decoded(whole), ForwardedReadingsTest::decoded));
    }
    return read;
  }

  private static Set<String> readings(String target, UnaryOperator<String> decoding) {
    return queries(target).stream()
        .flatMap(query -> Stream.of("&", "[&;]").map(query::split))
        .flatMap(Stream::of)
        .flatMap(part -> values(part, decoding).stream())
        .collect(toSet());
  }

  private static Set<String> queries(String text) {
    var queries = new TreeSet<String>();
    for (var mark : List.of('?', ';')) {
      var first = text.indexOf(mark);
      if (first >= 0) {
        queries.add(text.substring(first + 1));
        queries.add(text.substring(text.lastIndexOf(mark) + 1));
      }
    }
    return queries;
  }

  private static Set<String> values(String part, UnaryOperator<String> decoding) {
    var equals = part.indexOf('=');
    if (equals < 0) {
      return Set.of();
    }
    var isMeant =
        Stream.of(part.substring(0, equals))
            .flatMap(name -> Stream.of(name, form(name), form(form(name))))
            .map(name -> name.strip().split("[\\x00\\[]", -1)[0].replaceAll("[-. ]", "_"))
            .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals(NAME));
    if (!isMeant) {
      return Set.of();
    }
    return Stream.of(part.substring(equals + 1))
        .map(decoding)
        .flatMap(value -> Stream.of(value, value.strip(), value.split("\0", 2)[0]))
        .flatMap(value -> Stream.of(value, decoded(value)))
        .collect(toCollection(TreeSet::new));
  }

  private static String decoded(String text) {
    return form(text.replace("+", "%2B"));
  }

  /** Decodes text like a form, or returns it if it is malformed. */
  private static String form(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException malformed) {
      return text;
    }
  }
}
