package io.github.bloomgate.redis;

import java.net.URI;
import java.net.URISyntaxException;
import org.eclipse.microprofile.config.spi.Converter;

/**
 * Converts settings that are URLs, which are the addresses of Redis. Without it the framework would
 * print an invalid one, including the password.
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
