package io.github.bloomgate.http.security;

import io.quarkus.security.credential.Credential;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import java.security.Permission;
import java.security.Principal;
import java.util.Map;
import java.util.Set;

/**
 * The sender of a request: the holder of a key, or a local client if there are no keys.
 *
 * @param scope the names that the key may use
 * @param quota the limits of all filters with these names
 */
public record KeyIdentity(String id, Role role, NameScope scope, KeyQuota quota)
    implements SecurityIdentity {

  /** A local client, which may do everything if there are no keys. */
  public static final KeyIdentity LOCAL =
      new KeyIdentity("local", Role.ADMIN, NameScope.ALL, KeyQuota.NONE);

  KeyIdentity(ApiKey key) {
    this(key.id(), key.role(), key.scope(), key.quota());
  }

  @Override
  public Principal getPrincipal() {
    return () -> id;
  }

  @Override
  public boolean isAnonymous() {
    return false;
  }

  @Override
  public Set<String> getRoles() {
    return role.included();
  }

  @Override
  public boolean hasRole(String name) {
    return role.included().contains(name);
  }

  /** None: no code needs the token here. */
  @Override
  public <T extends Credential> T getCredential(Class<T> type) {
    return null;
  }

  @Override
  public Set<Credential> getCredentials() {
    return Set.of();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as in the interface
  public <T> T getAttribute(String name) {
    return null;
  }

  @Override
  public Map<String, Object> getAttributes() {
    return Map.of();
  }

  @Override
  public Set<Permission> getPermissions() {
    return Set.of();
  }

  @Override
  public Uni<Boolean> checkPermission(Permission permission) {
    return Uni.createFrom().item(false);
  }
}
