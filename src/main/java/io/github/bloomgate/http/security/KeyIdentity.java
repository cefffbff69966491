package io.github.bloomgate.http.security;

import io.quarkus.security.credential.Credential;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import java.security.Permission;
import java.security.Principal;
import java.util.Map;
import java.util.Set;

/** Who asks: the holder of a key, or a client on this machine while there are no keys. */
public final class KeyIdentity implements SecurityIdentity {

  /** A client on this machine, which may do everything while there are no keys. */
  public static final KeyIdentity LOCAL =
      new KeyIdentity("local", Role.ADMIN, NameScope.ALL, KeyQuota.NONE);

  private final String id;
  private final Role role;
  private final NameScope scope;
  private final KeyQuota quota;
  private final Set<String> roles;

  KeyIdentity(ApiKey key) {
    this(key.id(), key.role(), key.scope(), key.quota());
  }

  private KeyIdentity(String id, Role role, NameScope scope, KeyQuota quota) {
    this.id = id;
    this.role = role;
    this.scope = scope;
    this.quota = quota;
    this.roles = role.included();
  }

  /** The id of the key. */
  public String id() {
    return id;
  }

  /** What the key may do. */
  public Role role() {
    return role;
  }

  /** The names the key may use. */
  public NameScope scope() {
    return scope;
  }

  /** How much the filters of these names may be, together. */
  public KeyQuota quota() {
    return quota;
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
    return roles;
  }

  @Override
  public boolean hasRole(String name) {
    return roles.contains(name);
  }

  /** None: what needs the token has no use for the identity. */
  @Override
  public <T extends Credential> T getCredential(Class<T> type) {
    return null;
  }

  @Override
  public Set<Credential> getCredentials() {
    return Set.of();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
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
