package io.github.bloomgate.http.answer;

/** A response already serialised like {@link JsonWriter} does: a line of JSON. */
record WrittenJson(byte[] line) {}
