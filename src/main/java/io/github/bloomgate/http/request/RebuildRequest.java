package io.github.bloomgate.http.request;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** The parameters of a rebuild, all but {@code counting}, which never changes. */
@JsonIgnoreProperties("counting")
public final class RebuildRequest extends FilterChoice implements JsonBody.OptionalBody {

  /** A week: a longer pause means that the loader has stopped. */
  public static final int MAX_TIMEOUT_SECONDS = 604_800;

  private static final int DEFAULT_TIMEOUT_SECONDS = 3_600;

  @Min(1)
  @Max(MAX_TIMEOUT_SECONDS)
  public Integer timeoutSeconds;

  public Duration idleTimeout() {
    return Duration.ofSeconds(timeoutSeconds == null ? DEFAULT_TIMEOUT_SECONDS : timeoutSeconds);
  }
}
