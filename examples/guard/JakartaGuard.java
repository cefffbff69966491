import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.time.Duration;

/** Answers 404 for products that certainly do not exist, before the resource method is called. */
@Provider
public class JakartaGuard implements ContainerRequestFilter {

  private static final boolean FAIL_OPEN = true;

  private final BloomgateFilter filter =
      new BloomgateFilter("http://localhost:8080", "products", Duration.ofMillis(100));

  @Override
  public void filter(ContainerRequestContext request) {
    var id = request.getUriInfo().getPathParameters().getFirst("productId");
    if (id == null) {
      return;
    }
    try {
      if (!filter.mightContain(id)) {
        request.abortWith(Response.status(404).build());
      }
    } catch (IOException unknown) {
      System.getLogger("guard")
          .log(System.Logger.Level.WARNING, "The filter cannot be queried", unknown);
      if (!FAIL_OPEN) {
        request.abortWith(Response.status(503).build());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      request.abortWith(Response.status(503).build());
    }
  }
}
