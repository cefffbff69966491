import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;

/** Prints which requests JakartaGuard passes. */
public final class JakartaCheck {

  public static void main(String[] ids) {
    for (var id : ids) {
      var parameters = new MultivaluedHashMap<String, String>();
      if (!id.isEmpty()) {
        parameters.add("productId", id);
      }
      var status = new int[] {200};
      UriInfo uri = fake(UriInfo.class, "getPathParameters", argument -> parameters);
      ContainerRequestContext request =
          fake(
              ContainerRequestContext.class,
              "getUriInfo",
              argument -> {
                if (argument != null) {
                  status[0] = ((Response) argument).getStatus();
                }
                return uri;
              });
      new JakartaGuard().filter(request);
      System.out.print(status[0] + " ");
    }
  }

  private static <T> T fake(
      Class<T> type, String getter, java.util.function.Function<Object, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("abortWith")) {
                answer.apply(arguments[0]);
                return null;
              }
              if (!method.getName().equals(getter)) {
                throw new UnsupportedOperationException(method.getName());
              }
              return answer.apply(null);
            }));
  }
}
