package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.http.request.SourceRequest;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.SourceStatus;
import java.time.Instant;
import java.util.Locale;

/** The source of a filter and the state of its runs. */
public record SourceView(
    @JsonInclude(JsonInclude.Include.NON_NULL) String redisKey,
    @JsonInclude(JsonInclude.Include.NON_NULL) String url,
    @JsonInclude(JsonInclude.Include.NON_NULL) String file,
    @JsonInclude(JsonInclude.Include.NON_NULL) String format,
    @JsonInclude(JsonInclude.Include.NON_NULL) String encoding,
    ScheduleView schedule,
    boolean allowEmpty,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long minElements,
    @JsonInclude(JsonInclude.Include.NON_NULL) Double minShareOfLastRun,
    Instant nextRunAt,
    Instant runningSince,
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
