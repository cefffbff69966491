package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonValue;
import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.model.FilterName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results for the elements of a request to several filters. */
public record FiltersResult(@JsonValue Map<String, Object> fields) {

  /** For each filter, whether each element is new. */
  public static FiltersResult added(Map<FilterName, Flags> answers) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("added", flags(answers));
    answers.values().stream()
        .flatMapToInt(some -> some.replicas().stream())
        .min()
        .ifPresent(fewest -> fields.put("replicas", fewest));
    return new FiltersResult(fields);
  }

  /**
   * For each filter, whether it might contain each element.
   *
   * @param asked all filters of the request; those without answers do not exist
   * @param mayBeMissing whether to list filters that do not exist
   */
  public static FiltersResult tested(
      List<FilterName> asked, int elements, Map<FilterName, Flags> answers, boolean mayBeMissing) {
    var any = new boolean[elements];
    var all = new boolean[elements];
    // False if no filter exists, because then nothing contains the elements.
    Arrays.fill(all, !answers.isEmpty());
    for (var some : answers.values()) {
      for (var i = 0; i < elements; i++) {
        any[i] |= some.flags()[i];
        all[i] &= some.flags()[i];
      }
    }
    var fields = new LinkedHashMap<String, Object>();
    fields.put("mightContain", flags(answers));
    fields.put("any", any);
    fields.put("all", all);
    if (mayBeMissing) {
      var missing = new ArrayList<>(asked);
      missing.removeAll(answers.keySet());
      fields.put("missing", missing.stream().map(FilterName::value).toList());
    }
    ElementsResult.ageSeconds(answers.values()).ifPresent(age -> fields.put("ageSeconds", age));
    return new FiltersResult(fields);
  }

  private static Map<String, boolean[]> flags(Map<FilterName, Flags> answers) {
    var flags = new LinkedHashMap<String, boolean[]>();
    answers.forEach((name, some) -> flags.put(name.value(), some.flags()));
    return flags;
  }
}
