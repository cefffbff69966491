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
   * Whether it may have failed for what others did meanwhile. The rebuild that is found first is
   * the one that is meant, also if another has taken its place since.
   */
  boolean mayHaveDoneNothing() {
    return answer.equals("FILTER_CHANGED") || isRebuildLost();
  }

  private boolean isRebuildLost() {
    return answer.equals("REBUILD_NOT_FOUND");
  }

  /**
   * A change is answered with a description that is read behind it, and so may show more. Whether
   * there is a rebuild is read apart from the rest of a description.
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
