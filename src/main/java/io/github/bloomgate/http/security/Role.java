package io.github.bloomgate.http.security;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The role of a key. Each role includes the ones before it. */
public enum Role {
  /** Tests elements; describes and lists filters. */
  READER,
  /** Also adds elements. */
  WRITER,
  /** Also creates, changes, deletes, rebuilds, imports and exports filters. */
  ADMIN;

  public static final String READS = "reader";

  public static final String WRITES = "writer";

  public static final String ADMINISTERS = "admin";

  private static final Map<Role, Set<String>> INCLUDED =
      Stream.of(values())
          .collect(
              Collectors.toMap(
                  role -> role,
                  role ->
                      EnumSet.range(READER, role).stream()
                          .map(Role::roleName)
                          .collect(Collectors.toUnmodifiableSet())));

  public String roleName() {
    return name().toLowerCase(Locale.ROOT);
  }

  Set<String> included() {
    return INCLUDED.get(this);
  }

  public static Optional<Role> named(String name) {
    return Stream.of(values()).filter(role -> role.roleName().equals(name)).findFirst();
  }
}
