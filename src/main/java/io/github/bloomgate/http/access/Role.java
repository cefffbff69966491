package io.github.bloomgate.http.access;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The role of a key. Roles include others, but are not in one order. */
public enum Role {
  /** Tests elements; describes and lists filters. */
  READER,
  /** Also reads the bits of filters, which can be tested anywhere: exports. Changes nothing. */
  FOLLOWER(READER),
  /** Also adds elements. */
  WRITER(READER),
  /** Also creates, changes, deletes, rebuilds and imports filters. */
  ADMIN(FOLLOWER, WRITER);

  /** Cannot be changed, unlike other lists. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<Role> direct;

  Role(Role... direct) {
    this.direct = List.of(direct);
  }

  /** Whether a key with this role may do everything that a key with the other role may. */
  public boolean includes(Role other) {
    return this == other || direct.stream().anyMatch(role -> role.includes(other));
  }

  /** This role and all that it includes. */
  public List<Role> included() {
    return Stream.of(values()).filter(this::includes).toList();
  }

  public String roleName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> named(String name) {
    return Stream.of(values()).filter(role -> role.roleName().equals(name)).findFirst();
  }

  /** The names of all roles, for messages. */
  public static String names(String separator) {
    return Stream.of(values()).map(Role::roleName).collect(joining(separator));
  }
}
