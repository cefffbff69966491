import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Acts on each message of a topic with a new key. All messages with a key must be in one partition.
 * Keys are URL-encoded in the filter, because a line break would split a key into two elements.
 * Messages must have a key.
 */
public final class KafkaOnce {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String filter;

  public KafkaOnce(String url, String name) {
    filter = url + "/v1/filters/" + name;
  }

  /**
   * Polls once, acts on the new messages, adds their keys, and commits the offsets.
   *
   * @throws IOException if there is no answer. Nothing is committed then. Start again with a new
   *     consumer; messages may be processed twice
   */
  public void poll(
      Consumer<String, String> consumer,
      java.util.function.Consumer<ConsumerRecord<String, String>> action)
      throws IOException, InterruptedException {
    var records = new LinkedHashMap<String, ConsumerRecord<String, String>>();
    for (var one : consumer.poll(Duration.ofSeconds(1))) {
      if (one.key() == null || one.key().isEmpty()) {
        throw new IOException("A message without a key, at the offset " + one.offset());
      }
      records.putIfAbsent(URLEncoder.encode(one.key(), StandardCharsets.UTF_8), one);
    }
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
    if (token != null && !token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    var answer = client.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }
}
