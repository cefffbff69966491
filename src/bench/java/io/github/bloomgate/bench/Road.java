package io.github.bloomgate.bench;

/** How a server reaches its Redis. */
enum Road {
  TCP("TCP"),
  UNIX("Unix");

  private final String text;

  Road(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
