package io.github.bloomgate.http.openapi;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;

/**
 * Writes the schemas of the contract so that generators of clients understand them: many overlook
 * what stands beside a reference, and take a field for one that is never null when its type is
 * named twice.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public class GeneratorSchemas implements OASFilter {

  private static final String INSTANT = Instant.class.getSimpleName();

  @Override
  public Schema filterSchema(Schema schema) {
    if (schema.getAnyOf() != null) {
      // Of null or something else, which has been filtered before.
      var other = schema.getAnyOf().get(0);
      return other.getRef() == null
          ? schema.anyOf(null).format(other.getFormat())
          : schema.type(null);
    }
    if (schema.getRef() == null) {
      return withRange(schema);
    }
    if (schema.getRef().endsWith("/" + INSTANT)) {
      return schema.ref(null).type(List.of(SchemaType.STRING)).format("date-time");
    }
    if (schema.getDescription() != null) {
      var referred = OASFactory.createSchema().ref(schema.getRef());
      return schema.ref(null).type(null).allOf(List.of(referred));
    }
    return schema;
  }

  /** Without a format many take a number for one of 32 bits, or of any length. */
  private static Schema withRange(Schema schema) {
    if (schema.getFormat() != null || schema.getType() == null) {
      return schema;
    }
    if (schema.getType().contains(SchemaType.INTEGER)) {
      return schema.format("int64");
    }
    return schema.getType().contains(SchemaType.NUMBER) ? schema.format("double") : schema;
  }

  /** The name of the filter comes first, as the others may be left out. */
  @Override
  public Operation filterOperation(Operation operation) {
    if (operation.getParameters() != null) {
      operation.setParameters(
          operation.getParameters().stream()
              .sorted(Comparator.comparing(parameter -> !isName(parameter)))
              .toList());
    }
    return operation;
  }

  private static boolean isName(Parameter parameter) {
    return parameter.getRef() == null
        ? parameter.getName().equals(ApiDefinition.NAME)
        : parameter.getRef().endsWith("/" + ApiDefinition.NAME);
  }

  @Override
  public void filterOpenAPI(OpenAPI contract) {
    contract.getComponents().removeSchema(INSTANT);
  }
}
