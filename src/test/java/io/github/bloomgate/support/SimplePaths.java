package io.github.bloomgate.support;

import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.hamcrest.Matcher;

/**
 * A response that looks up simple paths in its JSON, such as {@code filters[0].name}. REST Assured
 * compiles a script for each path, which takes longer than most requests. It still checks every
 * value that does not match.
 */
record SimplePaths(Response answer, Object target) implements InvocationHandler {

  private static final Pattern SIMPLE = Pattern.compile("\\w+([.]\\w+|\\[\\d+])*");
  private static final Pattern STEP = Pattern.compile("\\w+");

  static Response of(Response answer) {
    var isJson = String.valueOf(answer.contentType()).contains("json");
    return isJson ? proxy(Response.class, new SimplePaths(answer, answer)) : answer;
  }

  private static <T> T proxy(Class<T> type, SimplePaths handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("body") && isAsExpected(arguments)) {
      return proxy;
    }
    try {
      var result = method.invoke(target, arguments);
      if (result == target) {
        return proxy;
      }
      return result instanceof ValidatableResponse
          ? proxy(ValidatableResponse.class, new SimplePaths(answer, result))
          : result;
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }

  /** Whether the arguments are a simple path to a value, and a matcher that accepts the value. */
  private boolean isAsExpected(Object[] arguments) {
    if (arguments != null
        && arguments.length == 3
        && arguments[0] instanceof String path
        && SIMPLE.matcher(path).matches()
        && arguments[1] instanceof Matcher<?> matcher
        && arguments[2] instanceof Object[] more
        && more.length == 0) {
      var found = find(path);
      return found != null && matcher.matches(found);
    }
    return false;
  }

  /**
   * The value at a path; null if there is none, or if REST Assured may read the path differently.
   */
  private Object find(String path) {
    Object found = answer.jsonPath().get("$");
    for (var step : STEP.matcher(path).results().map(step -> step.group()).toList()) {
      if (found instanceof Map<?, ?> object) {
        found = object.get(step);
      } else if (found instanceof List<?> array && step.matches("\\d+")) {
        var index = Integer.parseInt(step);
        found = index < array.size() ? array.get(index) : null;
      } else {
        return null;
      }
    }
    return found;
  }
}
