package io.github.bloomgate.redis;

/** Redis does not know the digest of a script, so nothing was run; only the runner sees this. */
final class ScriptMissing extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScriptMissing() {
    super("Redis does not know the script", null, false, false);
  }
}
