package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a filter shall be rebuilt from. */
@Schema(
    description = "One of `redisKey`, `url` and `file`",
    examples = "{\"redisKey\": \"users:ids\", \"schedule\": {\"cron\": \"0 3 * * *\"}}")
public record SourceRequest(
    @Schema(
            description =
                "A set, sorted set or list in the Redis of the service; its members are the"
                    + " elements, byte for byte")
        @Size(min = 1, max = MAX_LENGTH)
        String redisKey,
    @Schema(
            description =
                "An HTTP or HTTPS URL that answers with lines; it must begin with one of"
                    + " `bloomgate.sources.allowed-urls`; unzipped if it is gzip")
        @Size(min = 1, max = MAX_LENGTH)
        String url,
    @Schema(
            description =
                "A file of lines below `bloomgate.sources.folder`, by its relative path; unzipped"
                    + " if it is gzip")
        @Size(min = 1, max = MAX_LENGTH)
        String file,
    @Schema(
            description =
                "Of a url or file: `lines` of text, if not given, or `ndjson`, a JSON string on each"
                    + " line",
            enumeration = {LINES, NDJSON})
        String format,
    @Schema(
            description =
                "Of a url or file: how the text of an element stands for its bytes; `utf-8` if not given",
            enumeration = {"utf-8", "base64", "hex"})
        String encoding,
    @Schema(description = "When to read it; only when asked to if left out", nullable = true) @Valid
        ScheduleRequest schedule,
    @Schema(
            description =
                "Whether a source without elements empties the filter; else the run fails",
            defaultValue = "false")
        Boolean allowEmpty,
    @Schema(
            description =
                "How many elements a run must read at least; one that reads fewer fails with"
                    + " REBUILD_TOO_SMALL, and the filter keeps its content",
            examples = "10000")
        @Min(0)
        @Max(FilterParameters.MAX_EXPECTED_INSERTIONS)
        Long minElements,
    @Schema(
            description =
                "Likewise, as a share of the elements that the last run read which did not fail,"
                    + " from 0 to 1; without effect before there is one, and when the source was"
                    + " changed since",
            examples = "0.5")
        @DecimalMin("0")
        @DecimalMax("1")
        Double minShareOfLastRun) {

  public static final String LINES = "lines";
  public static final String NDJSON = "ndjson";
  public static final String UTF_8 = "utf-8";

  private static final int MAX_LENGTH = 2048;

  /**
   * The source asked for.
   *
   * @throws BloomException INVALID_REQUEST if none or several are given, or a value is malformed
   */
  public Source toSource() {
    return new Source(
        origin(),
        schedule == null ? new Schedule.ByHand() : schedule.toSchedule(),
        Boolean.TRUE.equals(allowEmpty),
        minElements == null ? 0 : minElements,
        minShareOfLastRun == null ? 0 : minShareOfLastRun);
  }

  private Origin origin() {
    if (Stream.of(redisKey, url, file).filter(given -> given != null).count() != 1) {
      throw RequestErrors.invalid(
          "A source is one of redisKey, url and file. Send exactly one of them.");
    }
    if (redisKey != null) {
      if (format != null || encoding != null) {
        throw RequestErrors.invalid(
            "A redisKey has neither format nor encoding: its members are the elements. Leave them"
                + " out.");
      }
      return new Origin.RedisKey(redisKey);
    }
    var elementEncoding = ElementEncoding.named(encoding == null ? UTF_8 : encoding);
    return url != null
        ? new Origin.Url(url, lineFormat(), elementEncoding)
        : new Origin.File(file, lineFormat(), elementEncoding);
  }

  private LineFormat lineFormat() {
    return switch (format == null ? LINES : format) {
      case LINES -> LineFormat.TEXT;
      case NDJSON -> LineFormat.NDJSON;
      default ->
          throw RequestErrors.invalid("The format must be lines or ndjson. Send one of them.");
    };
  }
}
