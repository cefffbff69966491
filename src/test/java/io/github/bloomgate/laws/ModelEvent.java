package io.github.bloomgate.laws;

/** One call with its answer, and when both were, on any clock. */
record ModelEvent(ModelCall call, String answer, long begun, long ended) {

  /**
   * Whether it may have taken effect although it failed. A rebuild that has ended before its
   * opening or a load is answered is not found.
   */
  boolean mayHaveActed() {
    return answer.equals("FILTER_CHANGED")
        || (isRebuildLost()
            && (call.kind() == ModelCall.Kind.OPEN || call.kind() == ModelCall.Kind.LOAD));
  }

  /**
   * Whether concurrent calls may have made it fail. It refers to the rebuild found first, even if
   * another has replaced it.
   */
  boolean mayHaveDoneNothing() {
    return answer.equals("FILTER_CHANGED") || isRebuildLost();
  }

  private boolean isRebuildLost() {
    return answer.equals("REBUILD_NOT_FOUND");
  }

  /**
   * The description in the response is read after the change, so it may include later changes. The
   * rebuild is read separately from the rest.
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
