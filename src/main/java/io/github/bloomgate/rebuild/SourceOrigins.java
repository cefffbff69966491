package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.rebuild.source.AllowedUrls;
import io.github.bloomgate.rebuild.source.SourceCredentials;
import io.github.bloomgate.rebuild.source.SourceFolder;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.rebuild.source.UrlOpener;
import io.github.bloomgate.store.SourceMembers;
import io.quarkus.runtime.Startup;
import io.quarkus.tls.TlsConfigurationRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Opens the origins of sources: Redis keys, and files and URLs if the configuration allows them.
 */
@Startup // Created eagerly, so that an invalid allow-list or credential stops the start.
@ApplicationScoped
public class SourceOrigins {

  private final SourceMembers members;
  private final SourceFolder folder;
  private final AllowedUrls allowed;
  private final UrlOpener urls;

  public SourceOrigins(
      SourceMembers members, BloomgateConfig config, TlsConfigurationRegistry tls) {
    var settings = config.sources();
    this.members = members;
    this.folder = new SourceFolder(settings.folder());
    this.allowed = new AllowedUrls(settings.allowedUrls().orElse(List.of()));
    this.urls =
        new UrlOpener(
            allowed,
            new SourceCredentials(settings.credentials(), settings.credentialsFile()),
            tls.get("sources"),
            settings.connectTimeout(),
            settings.idleTimeout());
  }

  /**
   * Checks that the configuration allows the origin.
   *
   * @throws BloomException INVALID_REQUEST if it does not
   */
  void requireAllowed(Origin origin) {
    if (origin instanceof Origin.RedisKey redis) {
      SourceMembers.requireForeign(redis);
    } else if (origin instanceof Origin.Url url) {
      allowed.require(url.url());
    } else if (origin instanceof Origin.File file) {
      folder.require(file.path());
    }
  }

  /**
   * Opens an origin.
   *
   * @throws BloomException SOURCE_UNREADABLE; INVALID_REQUEST if it is not or no longer allowed
   */
  SourceReader open(Origin origin) {
    if (origin instanceof Origin.Url url) {
      return urls.open(url);
    }
    if (origin instanceof Origin.File file) {
      return folder.open(file);
    }
    return new RedisKeyReader(members, (Origin.RedisKey) origin);
  }
}
