package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.source.Origin;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;

/** Opens sources that are files or URLs, as far as the configuration allows them. */
@Startup // A wrong allow-list stops the start.
@ApplicationScoped
public class SourceStreams {

  private final SourceFolder folder;
  private final AllowedUrls allowed;
  private final UrlOpener urls;

  @Inject
  SourceStreams(BloomgateConfig config) {
    this(config.sources());
  }

  /** Sources of one configuration. */
  public SourceStreams(BloomgateConfig.Sources settings) {
    this.folder = new SourceFolder(settings.folder());
    this.allowed = new AllowedUrls(settings.allowedUrls().orElse(List.of()));
    this.urls = new UrlOpener(allowed, settings.connectTimeout(), settings.idleTimeout());
  }

  /**
   * Checks whether a file may be read, by its path alone.
   *
   * @throws BloomException INVALID_REQUEST if it may not
   */
  public void requireAllowed(Origin.File file) {
    folder.require(file.path());
  }

  /**
   * Checks whether a URL may be read.
   *
   * @throws BloomException INVALID_REQUEST if it may not
   */
  public void requireAllowed(Origin.Url url) {
    allowed.require(url.url());
  }

  /**
   * Opens a file.
   *
   * @throws BloomException SOURCE_UNREADABLE; INVALID_REQUEST if it is not allowed (any more)
   */
  public SourceReader open(Origin.File file) {
    return folder.open(file);
  }

  /**
   * Asks for a URL and waits for the beginning of the answer.
   *
   * @throws BloomException SOURCE_UNREADABLE; INVALID_REQUEST if it is not allowed (any more)
   */
  public SourceReader open(Origin.Url url) {
    return urls.open(url);
  }
}
