package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.PlainHttp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A Redis Cluster that loses nodes and moves slots, and filters on it. */
abstract class ClusterFaults {

  static final String ONE_SEGMENT =
      "{\"expectedInsertions\": 100000, \"falsePositiveProbability\": 0.000001}";
  static final String SEVERAL_SEGMENTS = "{\"bitSize\": 50331648, \"numHashFunctions\": 20}";

  static int filters;

  TestCluster cluster;

  @BeforeEach
  void wholeCluster() {
    cluster = ClusterProfile.cluster();
    cluster.awaitWhole();
  }

  static void require(int status, PlainHttp.Reply answer) {
    assertEquals(status, answer.status(), answer::text);
  }

  /** Creates two filters on each primary. */
  List<List<String>> filtersOnEveryPrimary() {
    var owners = new ArrayList<TestRedis>();
    var names = new ArrayList<List<String>>();
    while (names.size() < TestCluster.PRIMARIES
        || names.stream().anyMatch(some -> some.size() < 2)) {
      var name = "loaded-" + filters++;
      var owner = cluster.owner(MovedOperation.stateKey(name));
      if (!owners.contains(owner)) {
        owners.add(owner);
        names.add(new ArrayList<>());
      }
      var some = names.get(owners.indexOf(owner));
      if (some.size() < 2) {
        create(name, ONE_SEGMENT);
        some.add(name);
      }
    }
    return names;
  }

  void create(String name, String shape) {
    PlainHttp.call(201, "PUT", "/v1/filters/" + name, shape);
  }
}
