package io.github.bloomgate.bench;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row of the table.
 *
 * @param setup how the service ran; docs/benchmarks.md explains it
 * @param measured result with its unit
 * @param peer a peer and its result; empty if there is none
 * @param ratio ratio of the two; empty without a peer
 * @param commit the measured version of the service
 */
record Row(String work, String setup, String measured, String peer, String ratio, String commit) {

  static Row parse(String line) {
    var cells = Arrays.stream(line.split("\\|")).map(String::strip).toList();
    return new Row(
        cells.get(1), cells.get(2), cells.get(3), cells.get(4), cells.get(5), cells.get(6));
  }

  String line() {
    return Stream.of(work, setup, measured, peer, ratio, commit)
        .map(cell -> cell.isEmpty() ? " " : " " + cell + " ")
        .collect(Collectors.joining("|", "|", "|"));
  }

  /** What it compares, without figures. */
  String subject() {
    return work + "|" + peer.replaceAll(": [^:]*$", "");
  }
}
