package io.github.bloomgate.support;

import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The server and the fields of a class with {@link OnRedis}. */
final class RedisOfClass implements BeforeAllCallback, AfterAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    var test = context.getRequiredTestClass();
    var redis = TestRedis.started(test.getAnnotation(OnRedis.class).value());
    // For classes without a field for it.
    store(context).put(TestRedis.class, redis);
    for (var field : fields(test)) {
      var type = field.isAnnotationPresent(OnRedis.Special.class) ? null : field.getType();
      if (type == TestRedis.class) {
        field.set(null, redis);
      } else if (type == TestLink.class) {
        field.set(null, new TestLink(redis.options()));
      } else if (type == TestInstance.class) {
        field.set(null, new TestInstance(redis));
      }
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    var servers = new HashSet<AutoCloseable>();
    servers.add(store(context).get(TestRedis.class, TestRedis.class));
    for (var field : fields(context.getRequiredTestClass())) {
      var held = field.get(null);
      if (held instanceof TestRedis || held instanceof TestCluster) {
        servers.add((AutoCloseable) held);
      } else if (held instanceof AutoCloseable open) {
        open.close();
      } else {
        continue;
      }
      field.set(null, null);
    }
    for (var server : servers) {
      server.close();
    }
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(ExtensionContext.Namespace.create(OnRedis.class));
  }

  /** The static fields of a class and its superclasses, without constants. */
  private static List<Field> fields(Class<?> test) {
    var fields = new ArrayList<Field>();
    for (Class<?> type = test; type != null; type = type.getSuperclass()) {
      for (var field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
    }
    return fields;
  }
}
