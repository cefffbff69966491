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
  static final String FIXED = "plain filter of the same capacity";
  static final String EMPTY = "empty Quarkus application";

  private Names() {}
}
