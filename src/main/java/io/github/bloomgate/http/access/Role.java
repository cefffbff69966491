package io.github.bloomgate.http.access;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The role of a key. Each role includes the ones before it. */
public enum Role {
  /** Tests elements; describes and lists filters. */
  READER,
  /** Also adds elements. */
  WRITER,
  /** Also creates, changes, deletes, rebuilds, imports and exports filters. */
  ADMIN;

  public String roleName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> named(String name) {
    return Stream.of(values()).filter(role -> role.roleName().equals(name)).findFirst();
  }
}
