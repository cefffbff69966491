package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.bloomgate.support.RawResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Sends the requests of one worker, and checks that refused requests did not change filters. */
final class HttpFuzzWorker {

  /**
   * The number of requests between checks. It is small, because an accepted change ends the
   * comparison.
   */
  private static final int REST = 10;

  /** Operations that change a filter named in the body, which may be a kept one. */
  private static final Set<String> WRITES_ELSEWHERE = Set.of("copyFilter", "renameFilter");

  private final int number;
  private final HttpConnection http;
  private final Kept kept;
  private final ResponseCheck check;
  private final HttpFindings findings;
  private final List<String> unchecked = new ArrayList<>();

  /** Whether the service may still be processing a request whose connection was closed. */
  private boolean brokenOff;

  HttpFuzzWorker(
      int number, HttpConnection http, Kept kept, ResponseCheck check, HttpFindings findings) {
    this.number = number;
    this.http = http;
    this.kept = kept;
    this.check = check;
    this.findings = findings;
  }

  void send(HttpCase made) throws IOException {
    var answer = http.send(made.request(), made.endsConnection(), made.isHead());
    findings.count(made, answer);
    findings.report(made, answer, check.mistake(made, answer));
    if (!made.onKept() && !WRITES_ELSEWHERE.contains(made.operation().id())) {
      return;
    }
    if (mayHaveChanged(made, answer)) {
      kept.make();
      unchecked.clear();
      brokenOff |= !answer.isWhole();
    } else {
      unchecked.add(
          "%d %s\n-> %d %s"
              .formatted(
                  made.index(),
                  HttpFindings.text(made.request(), 200),
                  answer.status(),
                  HttpFindings.text(answer.body(), 200)));
      if (unchecked.size() >= REST) {
        look();
      }
    }
  }

  /** Whether the response says that all or part of the request was done. */
  private boolean mayHaveChanged(HttpCase made, RawResponse answer) {
    if (made.operation().reads() && !made.has(HttpCase.Flaw.METHOD)) {
      return false;
    }
    return answer.status() < 400
        || answer.status() >= 500
        || !answer.isWhole()
        // The run failed while the client waited, and the filter shows it.
        || (answer.status() == 409 && made.operation().id().equals("runSource"))
        // The request succeeded, but another worker then deleted, renamed or damaged the filter.
        || holds(answer, "The request took effect")
        || holds(answer, "\"appliedCount\"");
  }

  private static boolean holds(RawResponse answer, String text) {
    return new String(answer.body(), ISO_8859_1).contains(text);
  }

  void look() throws IOException {
    var changes = kept.changes();
    if (!changes.isEmpty() && brokenOff) {
      kept.make();
    } else if (!changes.isEmpty()) {
      findings.mistakes.put(
          "changed by " + number,
          "A refused request changed a filter: " + changes + "\n" + String.join("\n", unchecked));
      kept.make();
    }
    brokenOff = false;
    unchecked.clear();
  }
}
