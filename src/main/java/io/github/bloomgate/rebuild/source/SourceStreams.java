package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.source.Origin;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;

/** Opens sources that are files or URLs, if the configuration allows them. */
@Startup // Created eagerly, so that an invalid allow-list stops the start.
@ApplicationScoped
public class SourceStreams {

  private final SourceFolder folder;
  private final AllowedUrls allowed;
  private final UrlOpener urls;

  @Inject
  SourceStreams(BloomgateConfig config) {
    this(config.sources());
  }

  /** Uses the limits of these settings. */
  public SourceStreams(BloomgateConfig.Sources settings) {
    this.folder = new SourceFolder(settings.folder());
    this.allowed = new AllowedUrls(settings.allowedUrls().orElse(List.of()));
    this.urls = new UrlOpener(allowed, settings.connectTimeout(), settings.idleTimeout());
  }

  /**
   * Checks by its path that a file is allowed.
   *
   * @throws BloomException INVALID_REQUEST if it is not
   */
  public void requireAllowed(Origin.File file) {
    folder.require(file.path());
  }

  /**
   * Checks that a URL is allowed.
   *
   * @throws BloomException INVALID_REQUEST if it is not
   */
  public void requireAllowed(Origin.Url url) {
    allowed.require(url.url());
  }

  /**
   * Opens a file.
   *
   * @throws BloomException SOURCE_UNREADABLE; INVALID_REQUEST if it is not or no longer allowed
   */
  public SourceReader open(Origin.File file) {
    return folder.open(file);
  }

  /**
   * Requests a URL and waits for the head of the response.
   *
   * @throws BloomException SOURCE_UNREADABLE; INVALID_REQUEST if it is not or no longer allowed
   */
  public SourceReader open(Origin.Url url) {
    return urls.open(url);
  }
}
