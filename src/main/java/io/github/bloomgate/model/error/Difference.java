package io.github.bloomgate.model.error;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A parameter in which an existing filter differs from what was asked for.
 *
 * @param field the parameter's name
 * @param existing its value in the filter that exists
 * @param requested its value in the request
 */
public record Difference(String field, Object existing, Object requested) {

  /**
   * A parameter that is compared.
   *
   * @param name as clients know it
   * @param value of it, which may be null
   */
  public record Field<T>(String name, Function<T, Object> value) {}

  /** In which of some parameters two filters differ, in the order of the parameters. */
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
}
