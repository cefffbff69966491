package io.github.bloomgate.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One address of {@code quarkus.redis.hosts}, parsed strictly. The driver would use localhost for a
 * host that it cannot parse, and read a plus sign in a password as a space.
 */
public final class RedisAddress {

  static final String UNREADABLE = "has a character that must be percent-encoded in a URL";

  private static final String UNIX = "unix";
  private static final Set<String> SCHEMES = Set.of("redis", "rediss", UNIX);
  private static final Set<String> PARAMETERS = Set.of("db", "user", "password", "client");
  private static final Pattern DATABASE = Pattern.compile("|/[0-9]{0,9}");

  private final URI uri;
  private final Map<String, String> query;
  private final Optional<String> user;
  private final Optional<String> password;

  private RedisAddress(URI uri) {
    this.uri = uri;
    query = query(uri.getRawQuery());
    var info = Optional.ofNullable(uri.getRawUserInfo()).orElse("");
    var colon = info.indexOf(':');
    user =
        decoded(colon < 0 ? info : info.substring(0, colon))
            .or(() -> Optional.ofNullable(query.get("user")));
    password =
        decoded(colon < 0 ? "" : info.substring(colon + 1))
            .or(() -> Optional.ofNullable(query.get("password")));
  }

  /**
   * Parses an address.
   *
   * @throws RedisAddressException if it is invalid
   */
  public static RedisAddress parse(String text) {
    URI uri;
    try {
      uri = new URI(text.strip());
    } catch (URISyntaxException malformed) {
      // Without message and cause, which would quote the text.
      throw new RedisAddressException(UNREADABLE);
    }
    if (!SCHEMES.contains(String.valueOf(uri.getScheme()))) {
      throw new RedisAddressException("does not begin with redis://, rediss:// or unix://");
    }
    if (uri.getScheme().equals(UNIX)) {
      if (Optional.ofNullable(uri.getPath()).orElse("").isEmpty()) {
        throw new RedisAddressException("names no socket");
      }
    } else if (uri.getHost() == null) {
      throw new RedisAddressException("names no host made of letters, digits, dots and hyphens");
    } else if (uri.getPort() == 0 || uri.getPort() > 65535) {
      throw new RedisAddressException("has a port that is not from 1 to 65535");
    } else if (!DATABASE.matcher(uri.getPath()).matches()) {
      throw new RedisAddressException("has something other than a database number as its path");
    }
    if (uri.getRawFragment() != null) {
      throw new RedisAddressException("contains a #");
    }
    return new RedisAddress(uri);
  }

  private static Map<String, String> query(String raw) {
    var query = new HashMap<String, String>();
    if (raw != null) {
      for (var part : raw.split("&", -1)) {
        var equals = part.indexOf('=');
        if (equals < 0 || !PARAMETERS.contains(part.substring(0, equals))) {
          throw new RedisAddressException(
              "has a query parameter other than db, user, password or client");
        }
        query.put(part.substring(0, equals), decode(part.substring(equals + 1)));
      }
      if (!DATABASE.matcher("/" + query.getOrDefault("db", "")).matches()) {
        throw new RedisAddressException("has a db parameter that is not a database number");
      }
    }
    return query;
  }

  private static Optional<String> decoded(String raw) {
    return raw.isEmpty() ? Optional.empty() : Optional.of(decode(raw));
  }

  /** Unlike in forms, a plus sign is literal. */
  private static String decode(String raw) {
    return URLDecoder.decode(raw.replace("+", "%2B"), UTF_8);
  }

  /**
   * The address in the driver's form.
   *
   * @param apart the password if the address has none
   */
  String forDriver(Optional<String> apart) {
    return uri.getScheme().equals(UNIX)
        ? uri.toString()
        : text(uri.getHost(), uri.getPort(), apart);
  }

  /** The address of another node with the same user and password, in the driver's form. */
  String of(String host, int port) {
    var isIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    return text(isIpv6 ? "[" + host + "]" : host, port, Optional.empty());
  }

  /** The address of a sentinel, which has no databases, in the driver's form. */
  String withoutDatabase() {
    return text(uri.getHost(), uri.getPort(), Optional.empty(), "");
  }

  private String text(String host, int port, Optional<String> apart) {
    return text(host, port, apart, database());
  }

  private String text(String host, int port, Optional<String> apart, String database) {
    var text = new StringBuilder(uri.getScheme()).append("://");
    var secret = password.or(() -> apart);
    if (user.isPresent() || secret.isPresent()) {
      text.append(encode(user.orElse(""))).append(':').append(encode(secret.orElse("")));
      text.append('@');
    }
    text.append(host);
    if (port >= 0) {
      text.append(':').append(port);
    }
    text.append(database);
    if (query.containsKey("client")) {
      text.append("?client=").append(encode(query.get("client")));
    }
    return text.toString();
  }

  private String database() {
    return uri.getPath().length() > 1 || !query.containsKey("db")
        ? uri.getPath()
        : "/" + query.get("db");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** Without user and password. */
  @Override
  public String toString() {
    if (uri.getScheme().equals(UNIX)) {
      return "unix://" + uri.getPath();
    }
    var port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return uri.getScheme() + "://" + uri.getHost() + port + database();
  }
}
