package io.github.bloomgate.redis;

/** The Lua scripts of the service, each a file {@code lua/<name>.lua} on the classpath. */
public enum Script {
  /** Answers only where writing is allowed. A READ all the same: it never changes anything. */
  PING("ping", 1, Effect.READ);

  private final String fileName;
  private final int keys;
  private final Effect effect;

  Script(String fileName, int keys, Effect effect) {
    this.fileName = fileName;
    this.keys = keys;
    this.effect = effect;
  }

  /** The name of the file without folder and ending; also the label in metrics. */
  public String fileName() {
    return fileName;
  }

  /** How many keys every call of the script takes. */
  public int keys() {
    return keys;
  }

  /** Whether a call may change data. */
  public Effect effect() {
    return effect;
  }
}
