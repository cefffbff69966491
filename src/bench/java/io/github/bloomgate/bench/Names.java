package io.github.bloomgate.bench;

/** The names of contenders in the report. */
final class Names {

  static final String SERVICE = "Bloomgate";
  static final String CONSTANT = "constant endpoint";
  static final String JSON = "JSON only";
  static final String REDISSON = "Redisson";
  static final String GUAVA = "Guava, one thread";
  static final String WEBDIS_PING = "webdis PING";
  static final String WEBDIS_BLOOM = "webdis and RedisBloom";
  static final String ONE_INSTANCE = "Bloomgate, one instance";
  static final String WITHOUT_LIMITS = "Bloomgate, without key and limits";
  static final String WITHOUT_AGE = "Bloomgate, without maxAge";
  static final String ONE_LOOP = "Bloomgate, one event loop";
  static final String UNIX = "Bloomgate, Unix socket";
  static final String NIO = "Bloomgate, NIO";
  static final String IMAGE = "Bloomgate, archive of the image";
  static final String WEBDIS_UNIX = "webdis and RedisBloom, Unix socket";
  static final String NO_FOLLOWERS = "no followers";
  static final String FIXED = "plain filter of the same capacity";
  static final String EMPTY = "empty Quarkus application";

  private Names() {}
}
