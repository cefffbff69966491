package io.github.bloomgate.bench;

import java.util.List;

/** A report as Markdown tables. */
final class MarkdownReport {

  private final StringBuilder text = new StringBuilder();

  private MarkdownReport() {}

  static String of(Report report, List<String> circumstances) {
    var markdown = new MarkdownReport();
    circumstances.forEach(line -> markdown.line("- " + line));
    markdown.line("");
    markdown.targets(report);
    if (!report.notes().isEmpty()) {
      markdown.line("");
      report.notes().forEach(note -> markdown.line("- " + note));
    }
    markdown.line("");
    markdown.details(report);
    return markdown.text.toString();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void cells(String... cells) {
    line("| " + String.join(" | ", cells) + " |");
  }

  private void targets(Report report) {
    cells("Work", "Measured", "Peer", "Ratio", "Target", "Met");
    line("|---|---|---|---|---|---|");
    for (var row : report.rows()) {
      cells(
          row.work(),
          row.measured(),
          row.peer().isEmpty() ? "-" : row.peer(),
          Figures.text(row.ratio()),
          row.target().map(Target::text).orElse("-"),
          row.target().isEmpty() ? "-" : row.isMet() ? "yes" : "**no**");
    }
  }

  private void details(Report report) {
    cells(
        "Work",
        "Contender",
        "Unit",
        "Median",
        "Least",
        "Most",
        "p50 us",
        "p99 us",
        "Generator",
        "Others");
    line("|---|---|---|---|---|---|---|---|---|---|");
    for (var comparison : report.comparisons()) {
      for (var contender : comparison.contenders()) {
        cells(
            comparison.work(),
            contender,
            comparison.unit(),
            Figures.text(comparison.median(contender)),
            Figures.text(comparison.least(contender)),
            Figures.text(comparison.most(contender)),
            Figures.text(comparison.median(contender, Sample::p50)),
            Figures.text(comparison.median(contender, Sample::p99)),
            Figures.text(comparison.median(contender, Sample::generatorCores)),
            Figures.text(comparison.median(contender, Sample::otherCores)));
      }
    }
  }
}
