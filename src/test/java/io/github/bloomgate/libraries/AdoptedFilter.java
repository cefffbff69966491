package io.github.bloomgate.libraries;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.api.Api;
import io.github.bloomgate.support.RawRedis;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A filter of the service, and the key of Redis that it shares with a library. */
final class AdoptedFilter {

  private final RawRedis redis;
  private final String name;
  private final String key;

  private AdoptedFilter(RawRedis redis, String name, String key) {
    this.redis = redis;
    this.name = name;
    this.key = key;
  }

  /** A filter still to be put, on a key that nobody else has. */
  static AdoptedFilter of(RawRedis redis) {
    var name = Api.newName();
    return new AdoptedFilter(redis, name, "library:" + name);
  }

  /** A filter still to be put, on a key that may be there already. */
  static AdoptedFilter of(RawRedis redis, String key) {
    return new AdoptedFilter(redis, Api.newName(), key);
  }

  String name() {
    return name;
  }

  String key() {
    return key;
  }

  /** Where Redisson keeps the parameters of the filter. */
  String configKey() {
    return key.contains("{") ? key + ":config" : "{" + key + "}:config";
  }

  Response put(Map<String, Object> parameters) {
    var body = new HashMap<>(parameters);
    body.put("redisKey", key);
    return Api.put(name, body);
  }

  /** Puts the filter and takes nothing for an answer but that it was made. */
  JsonPath created(Map<String, Object> parameters) {
    return put(parameters).then().statusCode(201).extract().jsonPath();
  }

  JsonPath describe() {
    return Api.describe(name).then().statusCode(200).extract().jsonPath();
  }

  List<Boolean> add(Elements elements) {
    return flags(Api.post(name, "add", elements), "added");
  }

  List<Boolean> test(Elements elements) {
    return flags(Api.post(name, "test", elements), "mightContain");
  }

  List<Boolean> add(String... elements) {
    return add(Elements.ofTexts(Arrays.asList(elements)));
  }

  List<Boolean> test(String... elements) {
    return test(Elements.ofTexts(Arrays.asList(elements)));
  }

  private static List<Boolean> flags(Response response, String field) {
    return response.then().statusCode(200).extract().jsonPath().getList(field, Boolean.class);
  }

  /** Lets go of the key, or takes it along. */
  ValidatableResponse delete(boolean deleteKey) {
    var request = deleteKey ? given().queryParam("deleteKey", true) : given();
    return request.delete(Api.FILTERS + name).then();
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
