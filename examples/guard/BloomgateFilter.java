import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A Bloomgate filter. Thread-safe. */
public final class BloomgateFilter {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String test;
  private final Duration limit;

  public BloomgateFilter(String url, String name, Duration limit) {
    test = url + "/v1/filters/" + name + "/test?element=";
    this.limit = limit;
  }

  /**
   * Whether the element may have been added; false is certain.
   *
   * @throws IOException if there is no answer. Do not treat this as "no"
   */
  public boolean mightContain(String element) throws IOException, InterruptedException {
    var uri = URI.create(test + URLEncoder.encode(element, StandardCharsets.UTF_8));
    var request = HttpRequest.newBuilder(uri).timeout(limit);
    var key = System.getenv("BLOOMGATE_KEY");
    if (key != null && !key.isEmpty()) {
      request.header("Authorization", "Bearer " + key);
    }
    var answer = client.send(request.build(), BodyHandlers.ofString());
    var isAnswer = answer.statusCode() == 200;
    if (isAnswer && answer.body().startsWith("{\"mightContain\":[true]")) {
      return true;
    }
    if (isAnswer && answer.body().startsWith("{\"mightContain\":[false]")) {
      return false;
    }
    throw new IOException(answer.statusCode() + " " + answer.body());
  }
}
