package io.github.bloomgate.model.error;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A parameter that differs between an existing filter and the request.
 *
 * @param field the parameter's name
 * @param existing its value in the filter
 * @param requested its value in the request
 */
public record Difference(String field, Object existing, Object requested) {

  /**
   * A parameter to compare.
   *
   * @param name its name in the API
   * @param value reads it; may return null
   */
  public record Field<T>(String name, Function<T, Object> value) {}

  /** The parameters in which two filters differ, in the given order. */
  public static <T> List<Difference> between(T existing, T requested, List<Field<T>> fields) {
    var differences = new ArrayList<Difference>();
    for (var field : fields) {
      var one = field.value().apply(existing);
      var other = field.value().apply(requested);
      if (!Objects.equals(one, other)) {
        differences.add(new Difference(field.name(), one, other));
      }
    }
    return differences;
  }

  /** The parameters in which two kinds of filters differ; each has only some. */
  public static List<Difference> between(
      Map<String, Object> existing, Map<String, Object> requested) {
    var names = new TreeSet<>(existing.keySet());
    names.addAll(requested.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(existing.get(name), requested.get(name)))
        .map(name -> new Difference(name, existing.get(name), requested.get(name)))
        .toList();
  }
}
