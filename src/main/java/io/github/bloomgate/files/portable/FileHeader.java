package io.github.bloomgate.files.portable;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.PlanJson;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StreamErrors;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The header of a file.
 *
 * @param name the filter's name; only a hint, because a file may be imported under any name
 * @param plan its parameters, and its layers if it has grown
 * @param generation the number of its generation; only a hint
 * @param exportedAt when the export began, only in files of former builds: files are the same while
 *     the filter is
 */
public record FileHeader(
    FilterName name, FilterPlan plan, long generation, Optional<Instant> exportedAt) {

  /** Its fields in a file, always in this order. */
  record Json(String name, long generation, Optional<String> exportedAt, PlanJson plan) {}

  public FileHeader(FilterName name, FilterPlan plan, long generation) {
    this(name, plan, generation, Optional.empty());
  }

  public FilterParameters parameters() {
    return plan.parameters();
  }

  /** Its text, which is the same for equal headers. */
  public byte[] json() {
    var json =
        new Json(name.value(), generation, exportedAt.map(Instant::toString), PlanJson.of(plan));
    return StoredJson.write(json).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads a header.
   *
   * @throws BloomException CORRUPT_IMPORT if it is invalid
   */
  static FileHeader read(byte[] buffer, int start, int length) {
    var json = new String(buffer, start, length, StandardCharsets.ISO_8859_1);
    if (!json.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw corrupt("has a byte that is not printable ASCII");
    }
    try {
      var header = StoredJson.MAPPER.readValue(json, Json.class);
      require(header != null, "JSON object");
      return of(header);
    } catch (UnrecognizedPropertyException other) {
      throw corrupt("has a field that this version does not have");
    } catch (JsonMappingException wrong) {
      throw corrupt("has no valid " + path(wrong));
    } catch (JsonProcessingException malformed) {
      throw corrupt("is not a well-formed JSON object with each field once");
    } catch (IllegalArgumentException impossible) {
      throw corrupt(impossible.getMessage());
    }
  }

  private static String path(JsonMappingException wrong) {
    var path =
        wrong.getPath().stream()
            .map(JsonMappingException.Reference::getFieldName)
            .filter(Objects::nonNull)
            .collect(joining("."));
    return path.isEmpty() ? "JSON object" : path;
  }

  private static FileHeader of(Json json) {
    require(json.generation > 0, "generation");
    require(json.plan.layers().stream().allMatch(layer -> layer.openedAt().isEmpty()), "layers");
    var scheme =
        json.plan
            .scheme()
            .orElseThrow(
                () ->
                    corrupt(
                        "names a hash scheme or an element codec that this version of the service does not support"));
    var plan = json.plan.toPlan(scheme);
    try {
      return new FileHeader(
          new FilterName(json.name), plan, json.generation, json.exportedAt.map(Instant::parse));
    } catch (BloomException | DateTimeException malformed) {
      throw corrupt("has no valid name or exportedAt");
    }
  }

  private static void require(boolean valid, String field) {
    if (!valid) {
      throw corrupt("has no valid " + field);
    }
  }

  /**
   * @param problem completes "its header ..."
   */
  private static BloomException corrupt(String problem) {
    return StreamErrors.corruptImport("its header " + problem, 0);
  }
}
