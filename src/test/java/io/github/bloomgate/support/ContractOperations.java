package io.github.bloomgate.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The operations that {@code openapi.yaml} has. */
public final class ContractOperations {

  private static final Pattern ID = Pattern.compile("^ +operationId: (\\w+)$", Pattern.MULTILINE);

  private ContractOperations() {}

  /** The operationId of each. */
  public static SortedSet<String> ids() throws IOException {
    return ID.matcher(Files.readString(Path.of("openapi.yaml")))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
