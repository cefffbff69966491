package io.github.bloomgate.faults;

import java.util.ArrayList;
import java.util.List;

/** What a follower, or several, answered. */
final class FollowerFigures {

  private static final String ROW = "%-26s %8s %8s %8s %9s %8s %15s %15s %15s%n";

  private final List<Long> ages = new ArrayList<>();
  private final List<Long> lags = new ArrayList<>();
  private final List<Long> waits = new ArrayList<>();
  private int maybes;
  private int noes;
  private int tooOld;
  private int unknown;
  private int falsePositives;
  private int connections;

  void add(FollowerProcess.Answer answer) {
    waits.add(answer.answeredAt() - answer.sentAt());
    if (answer.isTooOld()) {
      tooOld++;
      return;
    }
    maybes += answer.isMaybe() ? 1 : 0;
    noes += answer.isNo() ? 1 : 0;
    ages.add(answer.ageNanos());
  }

  /** Counts an answer about an element that was never added, which {@link #add} has counted too. */
  void addUnknown(FollowerProcess.Answer answer) {
    unknown += answer.isTooOld() ? 0 : 1;
    falsePositives += answer.isMaybe() ? 1 : 0;
  }

  /** Adds the time from an acknowledgement to the first "maybe". */
  void addLag(long nanos) {
    lags.add(nanos);
  }

  void addConnections(int count) {
    connections += count;
  }

  void addAll(FollowerFigures other) {
    ages.addAll(other.ages);
    lags.addAll(other.lags);
    waits.addAll(other.waits);
    maybes += other.maybes;
    noes += other.noes;
    tooOld += other.tooOld;
    unknown += other.unknown;
    falsePositives += other.falsePositives;
    connections += other.connections;
  }

  int tooOld() {
    return tooOld;
  }

  int unknown() {
    return unknown;
  }

  int falsePositives() {
    return falsePositives;
  }

  static void printTitles() {
    System.out.printf(
        ROW,
        "median / 99 %",
        "maybe",
        "no",
        "too-old",
        "unknown",
        "connect",
        "age ms",
        "lag ms",
        "answer us");
  }

  void print(String name) {
    System.out.printf(
        ROW,
        name,
        maybes,
        noes,
        tooOld,
        falsePositives + "/" + unknown,
        connections,
        medianAnd99(ages, 1_000_000),
        medianAnd99(lags, 1_000_000),
        medianAnd99(waits, 1_000));
  }

  private static String medianAnd99(List<Long> values, int unit) {
    var sorted = values.stream().sorted().toList();
    return sorted.isEmpty()
        ? "-"
        : "%d / %d"
            .formatted(
                sorted.get(sorted.size() / 2) / unit, sorted.get(sorted.size() * 99 / 100) / unit);
  }
}
