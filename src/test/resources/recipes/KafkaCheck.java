import java.util.HashMap;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;

/** Prints the messages that KafkaOnce acts on and commits: KafkaCheck URL NAME KEY... */
public final class KafkaCheck {

  public static void main(String[] arguments) throws Exception {
    var partition = new TopicPartition("mails", 0);
    var consumer = new MockConsumer<String, String>("earliest");
    consumer.assign(List.of(partition));
    var beginning = new HashMap<TopicPartition, Long>();
    beginning.put(partition, 0L);
    consumer.updateBeginningOffsets(beginning);
    for (var i = 2; i < arguments.length; i++) {
      consumer.addRecord(new ConsumerRecord<>("mails", 0, i - 2, arguments[i], "text"));
    }
    try {
      new KafkaOnce(arguments[0], arguments[1])
          .poll(consumer, mail -> System.out.println("sent " + mail.key() + " " + mail.offset()));
    } catch (java.io.IOException unknown) {
      System.out.println("unknown");
    }
    System.out.println("committed " + consumer.committed(java.util.Set.of(partition)).size());
  }
}
