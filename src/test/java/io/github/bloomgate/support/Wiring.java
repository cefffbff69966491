package io.github.bloomgate.support;

import jakarta.inject.Inject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Creates the services of one instance with their constructors, each once, like the framework. */
final class Wiring {

  private final Map<Class<?>, Object> made = new HashMap<>();

  <T> Wiring with(Class<T> type, T object) {
    made.put(type, object);
    return this;
  }

  <T> T get(Class<T> type) {
    if (!made.containsKey(type)) {
      made.put(type, make(type));
    }
    return type.cast(made.get(type));
  }

  private Object make(Class<?> type) {
    if (type.isInterface()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(),
          new Class<?>[] {type},
          (proxy, method, arguments) -> {
            throw new UnsupportedOperationException(
                "The test provides no " + type + " for " + method);
          });
    }
    var constructor = constructor(type);
    constructor.setAccessible(true);
    var arguments = Arrays.stream(constructor.getParameterTypes()).map(this::get).toArray();
    try {
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException("No " + type + " can be made", failure);
    }
  }

  private static Constructor<?> constructor(Class<?> type) {
    var all = type.getDeclaredConstructors();
    return all.length == 1
        ? all[0]
        : Arrays.stream(all)
            .filter(some -> some.isAnnotationPresent(Inject.class))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(type + " has several constructors"));
  }
}
