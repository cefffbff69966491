package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The allow-list of URLs for sources. A URL must have the scheme, host and port of an entry, and
 * the same path or one below.
 *
 * <p>Compares host names, not the addresses they resolve to, so the list should contain only
 * trusted servers.
 */
public final class AllowedUrls {

  /** Ways to leave a path, plain or encoded, and characters that servers treat as a slash. */
  private static final Pattern EVASIVE =
      Pattern.compile("(^|/)\\.{1,2}(/|$)|%2e|%2f|%5c|%00|//|\\\\|;", Pattern.CASE_INSENSITIVE);

  private final List<URI> prefixes;

  /**
   * Parses the configured list.
   *
   * @throws ConfigurationException if an entry cannot be a prefix
   */
  public AllowedUrls(List<String> prefixes) {
    this.prefixes = IntStream.range(0, prefixes.size()).mapToObj(i -> prefix(i, prefixes)).toList();
  }

  private static URI prefix(int index, List<String> prefixes) {
    try {
      var prefix = checked(prefixes.get(index));
      if (prefix.getRawQuery() == null) {
        return prefix;
      }
    } catch (BloomException | URISyntaxException malformed) {
      // Without the exception, because the URL may contain a password.
    }
    throw new ConfigurationException(
        "bloomgate.sources.allowed-urls cannot be used: URL %d in it must begin with http:// or https://, and have no user, query, fragment, '..', doubled or encoded slashes, or characters outside ASCII."
            .formatted(index + 1));
  }

  /**
   * Parses a URL.
   *
   * @throws BloomException INVALID_REQUEST if it is malformed or not allowed
   */
  public URI require(String url) {
    try {
      var asked = checked(url);
      if (prefixes.stream().anyMatch(prefix -> isBelow(asked, prefix))) {
        return asked;
      }
    } catch (URISyntaxException malformed) {
      throw invalid();
    }
    throw RequestErrors.invalid(
        "The url does not begin with a URL that is allowed for sources. Use an allowed URL, or ask the operator to add this one to bloomgate.sources.allowed-urls.");
  }

  private static URI checked(String url) throws URISyntaxException {
    var uri = new URI(url);
    if (Server.of(uri).isEmpty()
        || uri.getRawUserInfo() != null
        || uri.getRawFragment() != null
        || !uri.toASCIIString().equals(url)
        || EVASIVE.matcher(uri.getRawPath()).find()) {
      throw invalid();
    }
    return uri;
  }

  private static BloomException invalid() {
    return RequestErrors.invalid(
        "The url must be an http or https URL with a host, without user name, fragment, '..', doubled"
            + " or encoded slashes, and with any character outside ASCII percent-encoded. Send such a"
            + " URL.");
  }

  private static boolean isBelow(URI url, URI prefix) {
    return Server.of(url).equals(Server.of(prefix))
        && isBelow(url.getRawPath(), prefix.getRawPath());
  }

  private static boolean isBelow(String path, String prefix) {
    var folder = prefix.endsWith("/") ? prefix : prefix + "/";
    return path.equals(prefix) || (path.isEmpty() ? "/" : path).startsWith(folder);
  }
}
