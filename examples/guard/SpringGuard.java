import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/** Answers 404 for products that certainly do not exist, before the controller is called. */
public class SpringGuard implements HandlerInterceptor {

  private static final boolean FAIL_OPEN = true;

  private final BloomgateFilter filter =
      new BloomgateFilter("http://localhost:8080", "products", Duration.ofMillis(100));

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws InterruptedException {
    var variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
    if (!(variables instanceof Map<?, ?> map) || !(map.get("productId") instanceof String id)) {
      return true;
    }
    try {
      if (filter.mightContain(id)) {
        return true;
      }
      response.setStatus(404);
      return false;
    } catch (IOException unknown) {
      System.getLogger("guard")
          .log(System.Logger.Level.WARNING, "The filter cannot be queried", unknown);
      if (!FAIL_OPEN) {
        response.setStatus(503);
      }
      return FAIL_OPEN;
    }
  }
}
