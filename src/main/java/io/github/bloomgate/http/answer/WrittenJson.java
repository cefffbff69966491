package io.github.bloomgate.http.answer;

/** An answer that is written already, as {@link JsonWriter} would: a line of JSON. */
record WrittenJson(byte[] line) {}
