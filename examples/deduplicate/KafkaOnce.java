import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Acts on each message of a topic whose key was not seen before. Keys have no line breaks, and all
 * messages of a key are in one partition.
 */
public final class KafkaOnce {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String filter;

  public KafkaOnce(String url, String name) {
    filter = url + "/v1/filters/" + name;
  }

  /**
   * Polls once, acts on what is new, then notes it and commits the offsets.
   *
   * @throws IOException if it is not known what is new or noted. Nothing is committed then: close
   *     the consumer and begin again, and what was acted on may come once more
   */
  public void poll(
      Consumer<String, String> consumer,
      java.util.function.Consumer<ConsumerRecord<String, String>> action)
      throws IOException, InterruptedException {
    var records = new LinkedHashMap<String, ConsumerRecord<String, String>>();
    consumer.poll(Duration.ofSeconds(1)).forEach(one -> records.putIfAbsent(one.key(), one));
    if (records.isEmpty()) {
      return;
    }
    ask("/test?return=absent", records.keySet())
        .lines()
        .forEach(key -> action.accept(records.get(key)));
    ask("/add?return=summary", records.keySet());
    consumer.commitSync();
  }

  private String ask(String operation, Set<String> keys) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(filter + operation))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(String.join("\n", keys)));
    var token = System.getenv("BLOOMGATE_KEY");
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    var answer = client.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }
}
