package io.github.bloomgate.redis;

import java.net.URI;
import java.net.URISyntaxException;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * Reads the settings that are URLs: of this service, the addresses of Redis alone. Without it the
 * framework prints one that it cannot read, with the password in it.
 */
public final class UrlConverter implements Converter<URI> {
  private static final long serialVersionUID = 1L;

  @Override
  public URI convert(String value) {
    try {
      return new URI(value.strip());
    } catch (URISyntaxException malformed) {
      throw new RedisAddressException(RedisAddress.UNREADABLE);
    }
  }
}
