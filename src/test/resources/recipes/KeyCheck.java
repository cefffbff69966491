import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Prints the Authorization header that BloomgateFilter sends. */
public final class KeyCheck {

  public static void main(String[] arguments) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        request -> {
          System.out.println(request.getRequestHeaders().getFirst("Authorization"));
          var answer = "{\"mightContain\":[true]}".getBytes();
          request.sendResponseHeaders(200, answer.length);
          request.getResponseBody().write(answer);
          request.close();
        });
    server.start();
    var url = "http://localhost:" + server.getAddress().getPort();
    System.out.println(
        new BloomgateFilter(url, "products", Duration.ofSeconds(30)).mightContain("known"));
    server.stop(0);
  }
}
