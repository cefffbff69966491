package io.github.bloomgate.promises;

/** A call with its answer, and when it began and ended, on any clock. */
record ModelEvent(ModelCall call, String answer, long begun, long ended) {

  /**
   * Whether a failed call may have taken effect. If a rebuild ends before the call that opens or
   * loads it is answered, that call reports it as not found. The end of a stream has no effect.
   */
  boolean mayHaveActed() {
    return (isChanged() && call.kind() != ModelCall.Kind.END)
        || isUnknown()
        || (isRebuildLost()
            && (call.kind() == ModelCall.Kind.OPEN || call.kind() == ModelCall.Kind.LOAD));
  }

  /**
   * Whether concurrent calls, or a lost connection, may have made it fail. The call applies to the
   * rebuild that it found first, even if another has replaced it.
   */
  boolean mayHaveDoneNothing() {
    return isChanged() || isUnknown() || answer.equals("STORE_UNAVAILABLE") || isRebuildLost();
  }

  private boolean isChanged() {
    return answer.equals("FILTER_CHANGED");
  }

  /**
   * Whether the connection to Redis must have been lost. The confirmation of a replicated add also
   * fails if another instance has folded its block.
   */
  boolean lacksReply() {
    return (isUnknown() || answer.equals("STORE_UNAVAILABLE"))
        && call.kind() != ModelCall.Kind.REPLICATED_ADD;
  }

  /** Whether the outcome is unknown, after a lost connection. */
  private boolean isUnknown() {
    return answer.equals("STORE_OUTCOME_UNKNOWN");
  }

  private boolean isRebuildLost() {
    return answer.equals("REBUILD_NOT_FOUND");
  }

  /**
   * The response contains a description that is read after the change, so it may include later
   * changes. The rebuild is read separately.
   */
  boolean hasAnswer(String expected) {
    if (call.kind() == ModelCall.Kind.DESCRIBE) {
      return answer.replace(" rebuild", "").equals(expected.replace(" rebuild", ""));
    }
    return answer.equals(expected) || (isDescription(answer) && isDescription(expected));
  }

  private static boolean isDescription(String answer) {
    return Character.isDigit(answer.charAt(0));
  }
}
