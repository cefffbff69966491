package io.github.bloomgate.redis;

/** Redis does not know the digest of a script, so nothing ran. Handled by the runner. */
final class ScriptMissing extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScriptMissing() {
    super("Redis does not know the script", null, false, false);
  }
}
