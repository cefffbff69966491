package io.github.bloomgate.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.RawRedis;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A filter of the service, and the Redis key that it shares with a library. */
final class AdoptedFilter {

  private final RawRedis redis;
  private final String name;
  private final String key;

  private AdoptedFilter(RawRedis redis, String name, String key) {
    this.redis = redis;
    this.name = name;
    this.key = key;
  }

  /** A filter not yet created, on a unique key. */
  static AdoptedFilter of(RawRedis redis) {
    var name = Api.newName();
    return new AdoptedFilter(redis, name, "library:" + name);
  }

  /** A filter not yet created, on a key that may exist. */
  static AdoptedFilter of(RawRedis redis, String key) {
    return new AdoptedFilter(redis, Api.newName(), key);
  }

  String name() {
    return name;
  }

  String key() {
    return key;
  }

  /** The key of Redisson's parameters for the filter. */
  String configKey() {
    return key.contains("{") ? key + ":config" : "{" + key + "}:config";
  }

  ValidatableResponse put(Map<String, Object> parameters) {
    return Api.put(name, onKey(parameters));
  }

  Map<String, Object> onKey(Map<String, Object> parameters) {
    var body = new HashMap<>(parameters);
    body.put("redisKey", key);
    return body;
  }

  /** Creates the filter, and asserts that the response is 201. */
  JsonNode created(Map<String, Object> parameters) {
    return PlainHttp.call(201, "PUT", path(), onKey(parameters)).json();
  }

  JsonNode describe() {
    return PlainHttp.call(200, "GET", path(), null).json();
  }

  List<Boolean> add(String... elements) {
    return Elements.ofTexts(elements).addTo(name);
  }

  List<Boolean> test(String... elements) {
    return Elements.ofTexts(elements).testIn(name);
  }

  /** Deletes the filter, and optionally the key. */
  void delete(boolean deleteKey) {
    PlainHttp.call(204, "DELETE", path() + (deleteKey ? "?deleteKey=true" : ""), null);
  }

  private String path() {
    return Api.FILTERS + name;
  }

  /** The bytes of the key, as any client reads them. */
  byte[] bits() {
    return redis.run("GET", key).toBytes();
  }

  void setBits(byte[] bits) {
    assertEquals("OK", redis.run("SET", key, bits).toString());
  }

  boolean keyExists() {
    return redis.run("EXISTS", key).toInteger() == 1;
  }

  boolean configExists() {
    return redis.run("EXISTS", configKey()).toInteger() == 1;
  }

  /** The fields of Redisson's config hash. */
  Map<String, String> config() {
    var fields = new HashMap<String, String>();
    var reply = redis.run("HGETALL", configKey());
    reply.getKeys().forEach(field -> fields.put(field, reply.get(field).toString()));
    return fields;
  }

  @Override
  public String toString() {
    return name + " on " + key;
  }
}
