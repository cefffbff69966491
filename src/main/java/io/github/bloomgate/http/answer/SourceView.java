package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.http.request.SourceRequest;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.SourceStatus;
import java.time.Instant;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a filter is rebuilt from, and what became of it so far. */
@Schema(
    name = "Source",
    description = "What a filter is rebuilt from: one of `redisKey`, `url` and `file`",
    requiredProperties = {"allowEmpty", "nextRunAt", "runningSince"})
public record SourceView(
    @Schema(description = "A set, sorted set or list in Redis")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        String redisKey,
    @Schema(description = "What is asked by HTTP") @JsonInclude(JsonInclude.Include.NON_NULL)
        String url,
    @Schema(description = "A file below the folder for sources")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        String file,
    @Schema(
            description = "Of a url or file: how a line stands for an element",
            enumeration = {SourceRequest.LINES, SourceRequest.NDJSON})
        @JsonInclude(JsonInclude.Include.NON_NULL)
        String format,
    @Schema(
            description = "Of a url or file: how the text of an element stands for its bytes",
            enumeration = {"utf-8", "base64", "hex"})
        @JsonInclude(JsonInclude.Include.NON_NULL)
        String encoding,
    @Schema(description = "When it is read; null for only when asked to", nullable = true)
        ScheduleView schedule,
    @Schema(description = "Whether a source without elements empties the filter")
        boolean allowEmpty,
    @Schema(description = "How many elements a run must read at least; missing for any number")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Long minElements,
    @Schema(
            description =
                "Likewise, as a share of what the last run read that did not fail; missing for any")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Double minShareOfLastRun,
    @Schema(description = "When it is due; null if not by itself", nullable = true)
        Instant nextRunAt,
    @Schema(description = "When the run that is on its way began; null for none", nullable = true)
        Instant runningSince,
    @Schema(description = "How the last run ended; null before the first", nullable = true)
        LastRunView lastRun) {

  public static SourceView of(SourceStatus status) {
    var source = status.source();
    var origin = source.origin();
    return new SourceView(
        origin instanceof Origin.RedisKey redis ? redis.key() : null,
        origin instanceof Origin.Url url ? url.url() : null,
        origin instanceof Origin.File file ? file.path() : null,
        format(origin),
        encoding(origin),
        ScheduleView.of(source.schedule()),
        source.allowEmpty(),
        source.minElements() == 0 ? null : (Long) source.minElements(),
        source.minShareOfLastRun() == 0 ? null : (Double) source.minShareOfLastRun(),
        status.nextRunAt().orElse(null),
        status.run().map(SourceStatus.Run::startedAt).orElse(null),
        status.lastRun().map(LastRunView::of).orElse(null));
  }

  private static String format(Origin origin) {
    if (origin instanceof Origin.Url url) {
      return name(url.format());
    }
    return origin instanceof Origin.File file ? name(file.format()) : null;
  }

  private static String name(LineFormat format) {
    return format == LineFormat.TEXT ? SourceRequest.LINES : SourceRequest.NDJSON;
  }

  private static String encoding(Origin origin) {
    if (origin instanceof Origin.Url url) {
      return name(url.encoding());
    }
    return origin instanceof Origin.File file ? name(file.encoding()) : null;
  }

  private static String name(ElementEncoding encoding) {
    return encoding.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
