package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonValue;
import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.model.FilterName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results for the elements of a request to several filters. */
public record FiltersResult(@JsonValue Map<String, Object> fields) {

  /** For each filter, whether each element is new. */
  public static FiltersResult added(Map<FilterName, Answers> answers) {
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
      List<FilterName> asked,
      int elements,
      Map<FilterName, Answers> answers,
      boolean mayBeMissing) {
    var any = new boolean[elements];
    var all = new boolean[elements];
    for (var i = 0; i < elements; i++) {
      any[i] = isInAny(answers, i);
      all[i] = isInAll(answers, i);
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
    return new FiltersResult(fields);
  }

  public static boolean isInAny(Map<FilterName, Answers> answers, int element) {
    return answers.values().stream().anyMatch(some -> some.flags()[element]);
  }

  /** False if no filter exists, because then nothing contains the element. */
  public static boolean isInAll(Map<FilterName, Answers> answers, int element) {
    return !answers.isEmpty() && answers.values().stream().allMatch(some -> some.flags()[element]);
  }

  private static Map<String, boolean[]> flags(Map<FilterName, Answers> answers) {
    var flags = new LinkedHashMap<String, boolean[]>();
    answers.forEach((name, some) -> flags.put(name.value(), some.flags()));
    return flags;
  }
}
