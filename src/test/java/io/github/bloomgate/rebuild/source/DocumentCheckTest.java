package io.github.bloomgate.rebuild.source;

import static io.github.bloomgate.support.Bytes.utf8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.Failures;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents in the place of lines. */
class DocumentCheckTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE html>|<html>",
        "|  |<!doctype HTML PUBLIC \"x\">",
        "<html lang=\"en\">|<head>",
        "<!-- generated --><html>",
        "<HEAD>",
        "<?xml version=\"1.0\"?>|<Error>",
        "<Error><Code>AccessDenied</Code></Error>",
        "<rss version=\"2.0\">",
        "<a:b xmlns:a='x'/>",
        "{\"error\": \"secret\"}",
        "{\"error\": \"secret\"}||",
        "{|  \"error\": \"secret\"|}",
        "{\"error\": {|\"code\": 7}}",
        "[|{\"id\": 7}|]",
        "[{\"id\": 7}]",
        "[{\"id\": 7},|{\"id\": 8}]",
        "{}",
        "[]",
        "%PDF-1.7|x",
        "{\\rtf1\\ansi",
        "%!PS-Adobe-3.0",
        "-----BEGIN CERTIFICATE-----|MIIB"
      })
  void documentsAreRefused(String lines) {
    var failure = Failures.assertFails(ErrorCode.SOURCE_UNREADABLE, () -> read(lines));
    assertFalse(failure.getMessage().contains("secret"), failure.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "||",
        "a|<html>",
        "user|{",
        "<CAF+x.1@mail.example.com>",
        "<CAF+x.1@mail.example.com>|<2@mail.example.com>",
        "<3",
        "< a",
        "[2001:db8::1]",
        "[2001:db8::1]:80|[::1]",
        "[info] started",
        "{1, 2}",
        "{123e4567-e89b-12d3-a456-426614174000}",
        "{\"id\": 7}|{\"id\": 8}",
        "[\"a\", 7]|[\"b\", 8]",
        "%50",
        "-----"
      })
  void otherTextIsLines(String lines) {
    read(lines);
  }

  /** The reader may return any number of lines at once. */
  @Test
  void linesMayComeOneByOne() {
    var check = new DocumentCheck();
    check.require(List.of(utf8("")));
    check.require(List.of(utf8("{\"id\": 7}")));
    check.require(List.of(utf8("{\"id\": 8}")));
    check.requireAtEnd();
    var single = new DocumentCheck();
    single.require(List.of(utf8("{\"id\": 7}")));
    single.require(List.of(utf8(" ")));
    assertThrows(BloomException.class, single::requireAtEnd);
  }

  private static void read(String lines) {
    var check = new DocumentCheck();
    check.require(Arrays.stream(lines.split("\\|", -1)).map(line -> utf8(line)).toList());
    check.requireAtEnd();
  }
}
