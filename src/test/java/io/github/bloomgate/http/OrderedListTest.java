package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Lists of filters in the order of their figures, over all pages. */
@QuarkusTest
class OrderedListTest {

  /** Of the filters below; those that are equal in it follow in the order of their names. */
  private static final Map<String, List<String>> ORDERS =
      Map.of(
          "name", List.of("a", "b", "c", "d", "e", "f"),
          "fill", List.of("b", "a", "c", "d", "f", "e"),
          "rate", List.of("b", "a", "c", "d", "f", "e"),
          "elements", List.of("c", "b", "a", "d", "f", "e"),
          "memory", List.of("c", "d", "f", "a", "b", "e"),
          "deadline", List.of("d", "a", "b", "c", "e", "f"),
          "state", List.of("e", "b", "a", "f", "c", "d"));

  @Inject RawRedis redis;

  @Test
  void everyOrderIsOverAllPages() {
    var prefix = someFilters();
    ORDERS.forEach(
        (order, names) -> {
          var expected = names.stream().map(name -> prefix + "." + name).toList();
          for (var limit : List.of(1, 2, 4, 6, 7)) {
            assertEquals(expected, allPages(prefix, order, limit), order + " " + limit);
          }
        });
    assertEquals(
        ORDERS.get("name").stream().map(name -> prefix + "." + name).toList(),
        list(prefix, "limit", 10).jsonPath().getList("filters.name"));
  }

  private String someFilters() {
    var prefix = Api.newName();
    create(prefix + ".a", "{\"expectedInsertions\": 3, \"whenFull\": \"reject\"}");
    Api.add(prefix + ".a", "1", "2", "3");
    create(prefix + ".b", "{\"expectedInsertions\": 4}");
    Api.add(prefix + ".b", "1", "2", "3", "4", "5", "6", "7", "8");
    create(prefix + ".c", "{\"expectedInsertions\": 3000}");
    Api.lines("text/plain", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12")
        .post(Api.FILTERS + prefix + ".c/add")
        .then()
        .statusCode(200);
    create(prefix + ".d", "{\"expectedInsertions\": 2000, \"ttlSeconds\": 7000}");
    create(prefix + ".e", "{\"expectedInsertions\": 1000}");
    redis.run("DEL", "bloom:{" + prefix + ".e}:bits");
    create(prefix + ".f", "{\"expectedInsertions\": 1000}");
    Api.post(prefix + ".f", "rebuild", "{}").then().statusCode(201);
    // What is added comes into the figures a few seconds later.
    Awaitility.await()
        .until(
            () ->
                allPages(prefix, "elements", 10).stream()
                    .map(name -> name.substring(prefix.length() + 1))
                    .toList()
                    .equals(ORDERS.get("elements")));
    return prefix;
  }

  private static void create(String name, String body) {
    Api.put(name, body).then().statusCode(201);
  }

  private static List<String> allPages(String prefix, String order, int limit) {
    var names = new ArrayList<String>();
    String cursor = null;
    do {
      var page =
          cursor == null
              ? list(prefix, "sort", order, "limit", limit)
              : list(prefix, "sort", order, "limit", limit, "cursor", cursor);
      List<String> some = page.then().statusCode(200).extract().path("filters.name");
      assertTrue(some.size() <= limit);
      names.addAll(some);
      cursor = page.jsonPath().getString("nextCursor");
    } while (cursor != null);
    return names;
  }

  private static Response list(String prefix, Object name, Object value, Object... more) {
    return given()
        .queryParam("prefix", prefix)
        .queryParams(name.toString(), value, more)
        .get("/v1/filters");
  }

  @Test
  void figuresAreToldOnlyIfAskedForAndTheOrderOfFewFiltersIsAsOfNow() {
    var prefix = Api.newName();
    create(prefix + ".1", "{\"expectedInsertions\": 10}");
    create(prefix + ".2", "{\"expectedInsertions\": 20}");
    list(prefix, "sort", "memory").then().body("filters", everyItem(not(hasKey("figures"))));
    var page = list(prefix, "sort", "memory", "figures", true);
    page.then().body("filters", everyItem(hasKey("figures")));
    assertNull(page.path("orderedAt"));
    create(prefix + ".3", "{\"expectedInsertions\": 3000}");
    Awaitility.await()
        .until(() -> list(prefix, "sort", "memory").path("filters.name[0]").equals(prefix + ".3"));
    Api.raw().delete(Api.FILTERS + prefix + ".3").then().statusCode(204);
    // The order may be that of a moment ago, but no filter is listed that is gone.
    assertEquals(2, allPages(prefix, "memory", 10).size());
  }

  @Test
  void whatIsNoOrderAndACursorOfAnotherOneAreRefused() {
    list("x", "sort", "size").then().statusCode(400).body("detail", containsString("deadline"));
    list("x", "sort", "NAME").then().statusCode(400);
    var prefix = Api.newName();
    create(prefix + ".1", "{\"expectedInsertions\": 10}");
    create(prefix + ".2", "{\"expectedInsertions\": 20}");
    String byName = list(prefix, "limit", 1).path("nextCursor");
    String byMemory = list(prefix, "limit", 1, "sort", "memory").path("nextCursor");
    list(prefix, "sort", "memory", "cursor", byName).then().statusCode(400);
    list(prefix, "cursor", byMemory).then().statusCode(400);
    list(prefix, "sort", "fill", "cursor", byMemory).then().statusCode(400);
  }
}
