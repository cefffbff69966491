import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A copy of a Bloomgate filter that follows every change in the background. Thread-safe. A test
 * never waits for the network. docs/follow.md defines the stream.
 *
 * <p>As a command, {@code java Follower.java URL FILTER MAX_AGE} tests each line of its input. It
 * reads the key from BLOOMGATE_KEY, and the secret of a keyed filter, in hexadecimal, from
 * BLOOMGATE_SECRET.
 */
public final class Follower implements AutoCloseable {

  /** The copy is older than the maximum age, or there is none yet. Do not treat this as "no". */
  public static final class TooOldException extends IOException {
    private static final long serialVersionUID = 1;

    TooOldException(String message) {
      super(message);
    }
  }

  /** The stream is not one of this version, or of this kind of filter. */
  private static final class MalformedException extends IOException {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  private static final String TYPE = "application/vnd.bloomgate.follow";
  private static final int MOST_FRAME_BYTES = 65_536;

  /** Without a frame for this long, a connection is dead. */
  private static final Duration MOST_SILENCE = Duration.ofSeconds(10);

  private static final long SHORTEST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final long MOST_RETRY_AFTER_SECONDS = 300;

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(MOST_SILENCE)
          .build();

  private static final String SILENCE = "nothing has arrived";

  private final URI uri;
  private final String key;
  private final byte[] secret;
  private final Duration maxAge;
  private final Thread thread;

  /** Guards the bytes of the planes. Tests do not take it unless an AT changes the planes. */
  private final StampedLock lock = new StampedLock();

  private volatile Content content;
  private volatile Moment moment;
  private volatile String trouble = SILENCE;
  private volatile boolean isClosed;

  /** Whether the next request asks for everything, because continuing did not work. */
  private boolean isAnew;

  /** Streams in sequence that were left because they were late. */
  private int late;

  /** Follows a filter whose scheme is bloomgate-1. The key may be null. */
  public Follower(String url, String filter, String key, Duration maxAge) {
    this(url, filter, key, maxAge, null);
  }

  /**
   * Follows a filter. Its scheme may be bloomgate-1-keyed.
   *
   * @param key the API key; null or empty for none
   * @param maxAge tests fail if the copy is older
   * @param secret the secret of the filter's hash key; null for none
   */
  public Follower(String url, String filter, String key, Duration maxAge, byte[] secret) {
    this.uri = URI.create(url + "/v1/filters/" + filter + "/follow");
    this.key = key;
    this.maxAge = maxAge;
    this.secret = secret == null ? null : secret.clone();
    this.thread = new Thread(this::follow, "follower-" + filter);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits until tests have answers.
   *
   * @throws TooOldException if they have none after the timeout
   */
  public synchronized void ready(Duration timeout) throws TooOldException, InterruptedException {
    var deadline = System.nanoTime() + timeout.toNanos();
    while (!isYoungEnough(moment)) {
      var left = deadline - System.nanoTime();
      if (left <= 0) {
        throw tooOld(moment);
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
    }
  }

  /** As {@link #mightContain(byte[])}, for the UTF-8 bytes of a text. */
  public boolean mightContain(String element) throws TooOldException {
    return mightContain(element.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Whether the element may have been added. False is certain, except for adds that were
   * acknowledged within the last {@link #age}.
   *
   * @throws TooOldException if there is no answer. Do not treat this as "no"
   */
  public boolean mightContain(byte[] element) throws TooOldException {
    // The age is read before the bits, so they are at least as new.
    var then = moment;
    if (!isYoungEnough(then)) {
      throw tooOld(then);
    }
    var stamp = lock.tryOptimisticRead();
    if (stamp != 0) {
      var isMaybe = content.mightContain(element);
      if (lock.validate(stamp)) {
        return isMaybe;
      }
    }
    stamp = lock.readLock();
    try {
      return content.mightContain(element);
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /**
   * The age of the copy: it lacks no add that was acknowledged before then.
   *
   * @throws TooOldException if there is no copy yet
   */
  public Duration age() throws TooOldException {
    var then = moment;
    if (then == null) {
      throw tooOld(null);
    }
    return Duration.ofMillis(then.age());
  }

  /** Ends the connection. The copy stays usable until it is too old. */
  @Override
  public void close() {
    isClosed = true;
    thread.interrupt();
  }

  /** Tests each line of the input, and prints the answer with the age of the copy in seconds. */
  public static void main(String[] arguments) throws IOException {
    var maxAge = Duration.ofMillis((long) (1000 * Double.parseDouble(arguments[2])));
    var secret = System.getenv().getOrDefault("BLOOMGATE_SECRET", "");
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (var follower =
        new Follower(
            arguments[0],
            arguments[1],
            System.getenv("BLOOMGATE_KEY"),
            maxAge,
            HexFormat.of().parseHex(secret))) {
      for (var line = input.readLine(); line != null; line = input.readLine()) {
        // The age first: if a change arrives in between, the answer is newer than the age.
        var then = follower.moment;
        var age = then == null ? "inf" : String.format(Locale.ROOT, "%.3f", then.age() / 1000.0);
        try {
          System.out.println((follower.mightContain(line) ? "maybe " : "no ") + age);
        } catch (TooOldException tooOld) {
          System.out.println("too-old " + age + " " + tooOld.getMessage());
        }
      }
    }
  }

  private boolean isYoungEnough(Moment then) {
    return then != null && then.age() <= maxAge.toMillis();
  }

  private TooOldException tooOld(Moment then) {
    var age = then == null ? "not complete yet" : then.age() / 1000.0 + " s old";
    return new TooOldException("the copy is " + age + ": " + trouble);
  }

  /**
   * The time of an AT.
   *
   * @param nanos when the request was sent, by the monotonic clock
   * @param millis the same by the wall clock, because some monotonic clocks stop while suspended
   * @param stream the milliseconds since the stream began
   * @param ageWhenSent in milliseconds
   */
  private record Moment(long nanos, long millis, long stream, long ageWhenSent) {

    long delay() {
      return sinceRequest() - stream;
    }

    long sinceRequest() {
      return Math.max(monotonic(), wall());
    }

    /** Whether a clock was set or stood still since the request. */
    boolean clocksDiffer() {
      return Math.abs(monotonic() - wall()) > 1000;
    }

    private long monotonic() {
      return (System.nanoTime() - nanos) / 1_000_000 + 1;
    }

    private long wall() {
      return System.currentTimeMillis() - millis;
    }

    long age() {
      return Math.max(0, delay()) + ageWhenSent;
    }
  }

  private void follow() {
    var failures = 0;
    while (!isClosed) {
      var connection = new Connection();
      var pause = 0L;
      try {
        pause = connection.run();
      } catch (InterruptedException closed) {
        return;
      } catch (IOException | RuntimeException | OutOfMemoryError broken) {
        trouble =
            broken instanceof ConnectException
                ? "the connection was refused, or there is no way to " + uri.getAuthority()
                : broken instanceof MalformedException ? broken.getMessage() : broken.toString();
        pause = -1;
        isAnew |= broken instanceof MalformedException || broken instanceof RuntimeException;
      } finally {
        connection.arrived.cancel();
      }
      failures = connection.hasProgress ? 0 : failures + 1;
      // After a planned end, nothing is wrong with continuing at once.
      var isPlanned = pause == 0 && failures == 0;
      try {
        Thread.sleep(Math.max(0, pause) + (isPlanned ? 0 : backOffMillis(failures)));
      } catch (InterruptedException closed) {
        return;
      }
    }
  }

  private static long backOffMillis(int failures) {
    var most = Math.min(LONGEST_PAUSE_MILLIS, SHORTEST_PAUSE_MILLIS << Math.min(failures, 10));
    return ThreadLocalRandom.current().nextLong(most / 2, most + 1);
  }

  /** A request and the frames of its response. What no AT has completed ends with it. */
  private final class Connection {
    private final Arrived arrived = new Arrived();
    private final long nanos = System.nanoTime();
    private final long millis = System.currentTimeMillis();

    /** What the service may continue. */
    private final Content known = isAnew ? null : content;

    private Pending pending;
    private boolean hasProgress;
    private final long patience = backOffMillis(late);

    /** Since when the stream is late, in milliseconds since the request; -1 if it is not. */
    private long lateSince = -1;

    /** Returns the milliseconds to wait before the next request. */
    private long run() throws IOException, InterruptedException {
      var request = HttpRequest.newBuilder(uri).timeout(MOST_SILENCE);
      if (key != null && !key.isEmpty()) {
        request.header("Authorization", "Bearer " + key);
      }
      if (known != null) {
        request.header("Content-Type", "application/json");
        request.POST(BodyPublishers.ofString(known.description()));
      }
      var response = CLIENT.send(request.build(), BodyHandlers.ofPublisher());
      response.body().subscribe(arrived);
      if (response.statusCode() != 200) {
        trouble = response.statusCode() + " " + reason(arrived.text());
        isAnew |= isRejected(response.statusCode());
        var after = response.headers().firstValue("Retry-After").orElse("");
        return after.matches("[0-9]{1,9}") ? retryMillis(Long.parseLong(after)) : -1;
      }
      if (!response.headers().firstValue("Content-Type").orElse("").startsWith(TYPE)) {
        throw new MalformedException("the response is not a stream of frames");
      }
      isAnew = false;
      while (true) {
        var type = arrived.take(1).get(0);
        var length = arrived.take(4).getInt(0);
        if (length < 0 || length > MOST_FRAME_BYTES) {
          throw new MalformedException("a frame of " + Integer.toUnsignedString(length) + " bytes");
        }
        var payload = arrived.take(length);
        if (type == 6) {
          return end(Json.object(payload));
        }
        apply(type, payload);
        arrived.frameIsComplete();
        if (type == 5 && moment.clocksDiffer()) {
          trouble = "a clock was set: connecting to measure the age again";
          return 0;
        }
        if (type == 5 && isTooLate()) {
          trouble = "the stream is late: connecting again";
          return 0;
        }
      }
    }

    /** Whether the service does not accept what it should continue. */
    private static boolean isRejected(int status) {
      return status / 100 == 4 && !List.of(401, 403, 404, 429).contains(status);
    }

    /** Whether the stream began so late that its answers are often too old. */
    private boolean isTooLate() {
      if (moment.delay() <= maxAge.toMillis() / 2) {
        lateSince = -1;
        late = 0;
        return false;
      }
      var now = moment.sinceRequest();
      lateSince = lateSince < 0 ? now : lateSince;
      if (now - lateSince <= patience) {
        return false;
      }
      late++;
      return true;
    }

    /** The code and the detail of a problem document. */
    private static String reason(ByteBuffer body) {
      try {
        var problem = Json.object(body);
        return Json.text(problem, "code") + ": " + Json.text(problem, "detail");
      } catch (IOException another) {
        return "without a problem document";
      }
    }

    private long end(Map<?, ?> problem) throws IOException {
      trouble =
          problem.containsKey("code")
              ? Json.text(problem, "code") + ": " + Json.text(problem, "detail")
              : "the stream has ended";
      if (problem.get("retryAfterSeconds") instanceof BigDecimal seconds) {
        return retryMillis(seconds.longValue());
      }
      throw new MalformedException("an END without retryAfterSeconds");
    }

    private static long retryMillis(long seconds) {
      return 1000 * Math.max(0, Math.min(MOST_RETRY_AFTER_SECONDS, seconds));
    }

    private void apply(int type, ByteBuffer payload) throws IOException {
      switch (type) {
        case 1 -> plan(Json.object(payload));
        case 2, 3, 4 -> {
          requirePlan();
          if (payload.remaining() < 14) {
            throw new MalformedException("a frame without its plane");
          }
          pending.change(type, payload);
        }
        case 5 -> at(payload);
        default -> {
          // A later version of the service.
        }
      }
    }

    private void requirePlan() throws IOException {
      if (pending == null) {
        throw new MalformedException("a frame before the first plan");
      }
    }

    private void plan(Map<?, ?> plan) throws IOException {
      var incarnation = Json.text(plan, "incarnation");
      var current = pending == null ? known : pending.next;
      if (current != null && current.incarnation.equals(incarnation)) {
        var more = new Content(plan, secret, current);
        if (pending == null) {
          pending = new Pending(more, false);
        } else {
          pending.next = more;
        }
      } else {
        pending = new Pending(new Content(plan, secret, null), true);
      }
    }

    private void at(ByteBuffer payload) throws IOException {
      requirePlan();
      if (payload.remaining() != 36) {
        throw new MalformedException("an AT of another length");
      }
      var at = new Moment(nanos, millis, payload.getLong(12), payload.getInt(8) & 0xffffffffL);
      // Clocks differ by less than this in the ten minutes of a stream.
      if (at.stream < 0 || at.delay() < -1000) {
        throw new MalformedException("a stream that began before its request");
      }
      var next = pending.next;
      var stamp = lock.writeLock();
      try {
        pending.complete();
        content = next;
      } finally {
        lock.unlockWrite(stamp);
      }
      next.resume = HexFormat.of().formatHex(payload.array(), 20, 36);
      pending = new Pending(next, false);
      hasProgress = true;
      moment = at;
      trouble = SILENCE;
      synchronized (Follower.this) {
        Follower.this.notifyAll();
      }
    }
  }

  /** The bytes of a response. At most one buffer waits here; the rest waits in the network. */
  private static final class Arrived implements Flow.Subscriber<List<ByteBuffer>> {
    private static final List<ByteBuffer> END = List.of();

    private final BlockingQueue<List<ByteBuffer>> queue = new LinkedBlockingQueue<>();
    private List<ByteBuffer> buffers = new ArrayList<>();
    private long deadline = System.nanoTime() + MOST_SILENCE.toNanos();
    private volatile Flow.Subscription subscription;

    @Override
    public void onSubscribe(Flow.Subscription started) {
      subscription = started;
      started.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> some) {
      queue.add(some);
    }

    @Override
    public void onError(Throwable broken) {
      queue.add(END);
    }

    @Override
    public void onComplete() {
      queue.add(END);
    }

    void frameIsComplete() {
      deadline = System.nanoTime() + MOST_SILENCE.toNanos();
    }

    void cancel() {
      if (subscription != null) {
        subscription.cancel();
      }
    }

    /** The next bytes, in an array of their own. */
    ByteBuffer take(int count) throws IOException, InterruptedException {
      var taken = ByteBuffer.allocate(count);
      while (taken.hasRemaining()) {
        if (!more()) {
          throw new IOException("the connection was lost");
        }
        var buffer = buffers.get(0);
        var part = buffer.slice().limit(Math.min(buffer.remaining(), taken.remaining()));
        buffer.position(buffer.position() + part.remaining());
        taken.put(part);
      }
      return taken.flip();
    }

    /** The rest, or the beginning of a long one. */
    ByteBuffer text() throws IOException, InterruptedException {
      var text = ByteBuffer.allocate(MOST_FRAME_BYTES);
      while (text.hasRemaining() && more()) {
        var buffer = buffers.remove(0);
        text.put(buffer.slice().limit(Math.min(buffer.remaining(), text.remaining())));
      }
      return text.flip();
    }

    /** Waits for a buffer with bytes. Returns false at the end. */
    private boolean more() throws IOException, InterruptedException {
      while (true) {
        while (!buffers.isEmpty() && !buffers.get(0).hasRemaining()) {
          buffers.remove(0);
        }
        if (!buffers.isEmpty()) {
          return true;
        }
        var some = queue.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (some == null) {
          throw new IOException("no frame for " + MOST_SILENCE.toSeconds() + " s");
        }
        if (some == END) {
          queue.add(END);
          return false;
        }
        buffers = new ArrayList<>(some);
        subscription.request(1);
      }
    }
  }

  /** A layer. */
  private record Layer(int firstSegment, int segments, long planeBits, int k) {

    boolean isIn(byte[] plane, long h1, long h2) {
      if (plane == null) {
        return false;
      }
      var word = h1;
      for (var i = 0; i < k; i++) {
        word += h2;
        var bit = Hash.scale(Hash.mix(word), planeBits);
        if ((plane[(int) (bit >>> 3)] & 0x80 >>> (bit & 7)) == 0) {
          return false;
        }
      }
      return true;
    }
  }

  /** The planes of a filter. */
  private static final class Content {
    private static final int MOST_LAYERS = 32;
    private static final int MOST_SEGMENTS = 16_384;
    private static final int MOST_SEGMENT_BITS = 1 << 24;
    private static final long MOST_BITS = 1L << 36;

    private final String incarnation;
    private final int planesOfSegment;
    private final Layer[] layers;

    /** By segment and plane. Null stands for a plane without a set bit. */
    private final byte[][] planes;

    /** The key of the hash scheme; null for bloomgate-1. */
    private final long[] key;

    /* Only the thread that follows uses these. */
    private final Map<Integer, Long> marks = new TreeMap<>();
    private String resume;

    /**
     * The content that a plan describes.
     *
     * @param before the same content with an earlier plan, or null if it is another
     */
    Content(Map<?, ?> json, byte[] secret, Content before) throws IOException {
      var plan = Json.object(json, "plan");
      incarnation = Json.text(json, "incarnation");
      planesOfSegment = Json.number(json, "planes", 128);
      key = Hash.key(plan, secret);
      var parts = planesOfSegment * (Boolean.TRUE.equals(plan.get("counting")) ? 4 : 1);
      var list = Json.list(plan, "layers");
      if (list.isEmpty() || list.size() > MOST_LAYERS) {
        throw new MalformedException("a plan of " + list.size() + " layers");
      }
      layers = new Layer[list.size()];
      var segments = 0;
      var allBits = 0L;
      for (var i = 0; i < layers.length; i++) {
        if (!(list.get(i) instanceof Map<?, ?> layer)
            || !BigDecimal.valueOf(segments).equals(layer.get("firstSegment"))) {
          throw new MalformedException("a layer that does not begin where the one before ends");
        }
        var shape = Json.object(layer, "shape");
        var bits = Json.number(shape, "segmentBits", MOST_SEGMENT_BITS);
        if (bits % parts != 0) {
          throw new MalformedException("a plane whose bits are not a whole number");
        }
        layers[i] =
            new Layer(
                segments,
                Json.number(shape, "segments", MOST_SEGMENTS),
                bits / parts,
                Json.number(shape, "numHashFunctions", 255));
        segments += layers[i].segments;
        allBits += (long) layers[i].segments * bits;
        if (segments > MOST_SEGMENTS || allBits > MOST_BITS) {
          throw new MalformedException("a plan of a filter that is too large");
        }
      }
      planes = new byte[segments * planesOfSegment][];
      if (before != null) {
        var kept = before.layers.length;
        if (layers.length < kept
            || planesOfSegment != before.planesOfSegment
            || !Arrays.equals(layers, 0, kept, before.layers, 0, kept)) {
          throw new MalformedException("a plan that contradicts the one before");
        }
        System.arraycopy(before.planes, 0, planes, 0, before.planes.length);
        marks.putAll(before.marks);
        resume = before.resume;
      }
    }

    boolean mightContain(byte[] element) {
      var hash = key == null ? Hash.murmur3(element) : Hash.highway(element, key);
      for (var layer : layers) {
        var segment = layer.firstSegment + (int) Hash.scale(Hash.mix(hash[0]), layer.segments);
        for (var i = segment * planesOfSegment; i < (segment + 1) * planesOfSegment; i++) {
          if (layer.isIn(planes[i], hash[0], hash[1])) {
            return true;
          }
        }
      }
      return false;
    }

    int planeBytes(int segment) {
      var layer = layers.length - 1;
      while (segment < layers[layer].firstSegment) {
        layer--;
      }
      return (int) ((layers[layer].planeBits + 7) / 8);
    }

    /** What to send to continue. */
    String description() {
      var json = new StringBuilder("{\"incarnation\":").append(Json.quoted(incarnation));
      json.append(",\"resume\":\"").append(resume).append("\",\"marks\":{");
      var separator = "";
      for (var mark : marks.entrySet()) {
        json.append(separator).append('"').append(mark.getKey()).append("\":\"");
        json.append(HexFormat.of().toHexDigits(mark.getValue())).append('"');
        separator = ",";
      }
      return json.append("}}").toString();
    }
  }

  /**
   * What the next AT completes. Takes at most as much memory as the planes themselves, and a
   * megabyte.
   */
  private static final class Pending {
    private static final byte[] EMPTY = {};
    private static final int MOST_PATCH_BYTES = 1 << 20;

    /** The content after the AT. It shares its planes with the one before, unless it is new. */
    private Content next;

    private final boolean isNew;
    private final Map<Integer, byte[]> changed = new HashMap<>();
    private final Map<Integer, List<ByteBuffer>> patches = new HashMap<>();
    private final Map<Integer, Long> marks = new HashMap<>();
    private int patchBytes;

    Pending(Content next, boolean isNew) {
      this.next = next;
      this.isNew = isNew;
    }

    void change(int type, ByteBuffer payload) throws IOException {
      var segment = payload.getInt();
      var plane = payload.getChar();
      var mark = payload.getLong();
      var n = next.planesOfSegment;
      if (segment < 0 || segment >= next.planes.length / n || plane >= n) {
        throw new MalformedException("content of a plane that is not in the plan");
      }
      var index = segment * n + plane;
      var size = next.planeBytes(segment);
      switch (type) {
        case 2 -> fill(index, size, payload);
        case 3 -> patch(index, size, payload);
        default -> {
          if (payload.hasRemaining()) {
            throw new MalformedException("an EMPTY with content");
          }
          patches.remove(index);
          put(index, EMPTY);
        }
      }
      marks.put(segment, mark);
    }

    private void fill(int index, int size, ByteBuffer payload) throws IOException {
      if (payload.remaining() < 4) {
        throw new MalformedException("a FILL that is cut off");
      }
      var offset = payload.getInt();
      if (offset < 0 || payload.remaining() > size - offset) {
        throw new MalformedException("a FILL beyond the end of its plane");
      }
      if (payload.hasRemaining()) {
        payload.get(writable(index, size), offset, payload.remaining());
      }
    }

    private void patch(int index, int size, ByteBuffer payload) throws IOException {
      for (var i = payload.position(); i < payload.limit(); i += 4) {
        if (payload.limit() - i < 4 || payload.getInt(i) >>> 8 >= size) {
          throw new MalformedException("a PATCH that is cut off, or beyond the end of its plane");
        }
      }
      if (isNew || changed.containsKey(index) || patchBytes > MOST_PATCH_BYTES) {
        patch(writable(index, size), payload);
      } else if (payload.hasRemaining()) {
        patches.computeIfAbsent(index, any -> new ArrayList<>()).add(payload);
        patchBytes += payload.remaining();
      }
    }

    private static void patch(byte[] plane, ByteBuffer entries) {
      while (entries.hasRemaining()) {
        var entry = entries.getInt();
        plane[entry >>> 8] = (byte) entry;
      }
    }

    /** The bytes of a plane that no test reads yet. */
    private byte[] writable(int index, int size) {
      var plane = isNew ? next.planes[index] : changed.get(index);
      if (plane == null || plane == EMPTY) {
        var old = isNew || plane == EMPTY ? null : next.planes[index];
        plane = old == null ? new byte[size] : old.clone();
        for (var patch : patches.getOrDefault(index, List.of())) {
          patch(plane, patch);
        }
        patches.remove(index);
        put(index, plane);
      }
      return plane;
    }

    private void put(int index, byte[] plane) {
      if (isNew) {
        next.planes[index] = plane == EMPTY ? null : plane;
      } else {
        changed.put(index, plane);
      }
    }

    /** Applies the changes. No test may run. */
    void complete() {
      for (var of : patches.entrySet()) {
        var index = of.getKey();
        var plane = next.planes[index];
        if (plane == null) {
          plane = new byte[next.planeBytes(index / next.planesOfSegment)];
        }
        for (var patch : of.getValue()) {
          patch(plane, patch);
        }
        next.planes[index] = plane;
      }
      changed.forEach((index, plane) -> next.planes[index] = plane == EMPTY ? null : plane);
      next.marks.putAll(marks);
    }
  }

  /** The hash schemes bloomgate-1 and bloomgate-1-keyed. */
  private static final class Hash {
    private static final VarHandle WORD =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;

    static long mix(long z) {
      z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
      z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
      return z ^ z >>> 31;
    }

    /** The high 64 bits of the unsigned product. */
    static long scale(long word, long bound) {
      // multiplyHigh reads the word as signed, so it is short by one bound if the top bit is set.
      return Math.multiplyHigh(word, bound) + (word >> 63 & bound);
    }

    static long[] murmur3(byte[] element) {
      var h1 = 0L;
      var h2 = 0L;
      var at = 0;
      for (; at + 16 <= element.length; at += 16) {
        h1 ^= Long.rotateLeft(word(element, at) * C1, 31) * C2;
        h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= Long.rotateLeft(word(element, at + 8) * C2, 33) * C1;
        h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
      }
      h1 ^= Long.rotateLeft(word(element, at) * C1, 31) * C2;
      h2 ^= Long.rotateLeft(word(element, at + 8) * C2, 33) * C1;
      h1 ^= element.length;
      h2 ^= element.length;
      h1 += h2;
      h2 += h1;
      h1 = fmix(h1);
      h2 = fmix(h2);
      h1 += h2;
      h2 += h1;
      return new long[] {h1, h2};
    }

    /** Eight bytes as a little-endian word, with zeros after the end. */
    private static long word(byte[] bytes, int from) {
      if (from + 8 <= bytes.length) {
        return (long) WORD.get(bytes, from);
      }
      var word = 0L;
      for (var i = Math.min(bytes.length, from + 8) - 1; i >= from; i--) {
        word = word << 8 | bytes[i] & 0xff;
      }
      return word;
    }

    private static long fmix(long x) {
      x = (x ^ x >>> 33) * 0xff51afd7ed558ccdL;
      x = (x ^ x >>> 33) * 0xc4ceb9fe1a85ec53L;
      return x ^ x >>> 33;
    }

    /** The key of a filter; null if its scheme has none. */
    static long[] key(Map<?, ?> plan, byte[] secret) throws IOException {
      var scheme = Json.text(plan, "hashScheme");
      if (scheme.equals("bloomgate-1")) {
        return null;
      }
      if (!scheme.equals("bloomgate-1-keyed")) {
        throw new MalformedException(
            "hash scheme " + scheme + ": this reader knows bloomgate-1 and bloomgate-1-keyed");
      }
      var origin = Json.object(plan, "hashKey");
      var id = Json.text(origin, "secretId");
      var own =
          secret == null ? "none" : hex(derived(new byte[32], secret, "bloomgate secret id"), 8);
      if (!id.equals(own)) {
        throw new MalformedException("the filter needs the secret " + id + ", not " + own);
      }
      var salt = HexFormat.of().parseHex(Json.text(origin, "salt"));
      var key = new long[4];
      var bytes = ByteBuffer.wrap(derived(salt, secret, "bloomgate-1-keyed"));
      bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(key);
      return key;
    }

    private static String hex(byte[] bytes, int length) {
      return HexFormat.of().formatHex(bytes, 0, length);
    }

    private static byte[] derived(byte[] salt, byte[] input, String info) {
      return hmac(hmac(salt, input), (info + "\u0001").getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] hmac(byte[] key, byte[] message) {
      try {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(message);
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /** HighwayHash, 128 bits. */
    static long[] highway(byte[] element, long[] key) {
      long[] mul0 = {
        0xdbe6d5d5fe4cce2fL, 0xa4093822299f31d0L, 0x13198a2e03707344L, 0x243f6a8885a308d3L
      };
      long[] mul1 = {
        0x3bd39e10cb0ef593L, 0xc0acf169b5f18a8cL, 0xbe5466cf34e90c6cL, 0x452821e638d01377L
      };
      var v0 = new long[4];
      var v1 = new long[4];
      for (var i = 0; i < 4; i++) {
        v0[i] = mul0[i] ^ key[i];
        v1[i] = mul1[i] ^ Long.rotateLeft(key[i], 32);
      }
      var a = new long[4];
      var rest = element.length % 32;
      for (var at = 0; at < element.length; at += 32) {
        var packet = element;
        var from = at;
        if (element.length - at < 32) {
          for (var i = 0; i < 4; i++) {
            v0[i] += ((long) rest << 32) + rest;
            v1[i] =
                (long) Integer.rotateLeft((int) (v1[i] >>> 32), rest) << 32
                    | Integer.rotateLeft((int) v1[i], rest) & 0xffffffffL;
          }
          packet = packet(element, at, rest);
          from = 0;
        }
        for (var i = 0; i < 4; i++) {
          a[i] = word(packet, from + 8 * i);
        }
        update(v0, v1, mul0, mul1, a);
      }
      for (var turn = 0; turn < 6; turn++) {
        for (var i = 0; i < 4; i++) {
          a[i] = Long.rotateLeft(v0[i ^ 2], 32);
        }
        update(v0, v1, mul0, mul1, a);
      }
      return new long[] {
        v0[0] + mul0[0] + v1[2] + mul1[2], v0[1] + mul0[1] + v1[3] + mul1[3],
      };
    }

    private static byte[] packet(byte[] element, int at, int rest) {
      var packet = new byte[32];
      var whole = rest & ~3;
      var loose = rest & 3;
      System.arraycopy(element, at, packet, 0, whole);
      if (rest >= 16) {
        System.arraycopy(element, at + rest - 4, packet, 28, 4);
      } else if (loose > 0) {
        packet[16] = element[at + whole];
        packet[17] = element[at + whole + loose / 2];
        packet[18] = element[at + whole + loose - 1];
      }
      return packet;
    }

    private static void update(long[] v0, long[] v1, long[] mul0, long[] mul1, long[] a) {
      for (var i = 0; i < 4; i++) {
        v1[i] += mul0[i] + a[i];
        mul0[i] ^= (v1[i] & 0xffffffffL) * (v0[i] >>> 32);
        v0[i] += mul1[i];
        mul1[i] ^= (v0[i] & 0xffffffffL) * (v1[i] >>> 32);
      }
      zip(v0, v1);
      zip(v1, v0);
    }

    private static void zip(long[] to, long[] from) {
      for (var j = 0; j < 4; j += 2) {
        var x = from[j];
        var y = from[j + 1];
        to[j] +=
            octet(x, 3, 0)
                | octet(y, 4, 1)
                | octet(x, 2, 2)
                | octet(x, 5, 3)
                | octet(y, 6, 4)
                | octet(x, 1, 5)
                | octet(y, 7, 6)
                | octet(x, 0, 7);
        to[j + 1] +=
            octet(y, 3, 0)
                | octet(x, 4, 1)
                | octet(y, 2, 2)
                | octet(y, 5, 3)
                | octet(y, 1, 4)
                | octet(x, 6, 5)
                | octet(y, 0, 6)
                | octet(x, 7, 7);
      }
    }

    private static long octet(long word, int from, int to) {
      return (word >>> 8 * from & 0xff) << 8 * to;
    }
  }

  /** Reads JSON into maps, lists, strings, numbers and booleans. */
  private static final class Json {
    private static final int MOST_NESTED = 32;

    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    static Map<?, ?> object(ByteBuffer utf8) throws IOException {
      var json = new Json(StandardCharsets.UTF_8.decode(utf8).toString());
      try {
        if (json.value(0) instanceof Map<?, ?> map && json.next() == 0) {
          return map;
        }
      } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
        throw new MalformedException("malformed JSON");
      }
      throw new MalformedException("malformed JSON");
    }

    static Map<?, ?> object(Map<?, ?> in, String name) throws IOException {
      if (in.get(name) instanceof Map<?, ?> value) {
        return value;
      }
      throw new MalformedException("there is no object " + name);
    }

    static List<?> list(Map<?, ?> in, String name) throws IOException {
      if (in.get(name) instanceof List<?> value) {
        return value;
      }
      throw new MalformedException("there is no array " + name);
    }

    static String text(Map<?, ?> in, String name) throws IOException {
      if (in.get(name) instanceof String value) {
        return value;
      }
      throw new MalformedException("there is no text " + name);
    }

    /** A number from 1. */
    static int number(Map<?, ?> in, String name, int most) throws IOException {
      if (in.get(name) instanceof BigDecimal value
          && value.compareTo(BigDecimal.ONE) >= 0
          && value.compareTo(BigDecimal.valueOf(most)) <= 0
          && value.stripTrailingZeros().scale() <= 0) {
        return value.intValue();
      }
      throw new MalformedException("there is no number " + name + " from 1 to " + most);
    }

    static String quoted(String text) {
      return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The next character that is not a space; 0 at the end. */
    private char next() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    /** Skips a character, which may be missing only if it does not have to be there. */
    private boolean isNext(char expected) {
      var isThere = next() == expected;
      at += isThere ? 1 : 0;
      return isThere;
    }

    private void expect(char expected) throws IOException {
      if (!isNext(expected)) {
        throw new MalformedException("malformed JSON");
      }
    }

    private Object value(int depth) throws IOException {
      if (depth > MOST_NESTED) {
        throw new MalformedException("JSON is nested too deeply");
      }
      switch (next()) {
        case '{' -> {
          return map(depth);
        }
        case '[' -> {
          return array(depth);
        }
        case '"' -> {
          return string();
        }
        default -> {
          return word();
        }
      }
    }

    private Map<String, Object> map(int depth) throws IOException {
      var map = new LinkedHashMap<String, Object>();
      expect('{');
      if (isNext('}')) {
        return map;
      }
      do {
        next();
        var name = string();
        expect(':');
        map.put(name, value(depth + 1));
      } while (isNext(','));
      expect('}');
      return map;
    }

    private List<Object> array(int depth) throws IOException {
      var array = new ArrayList<>();
      expect('[');
      if (isNext(']')) {
        return array;
      }
      do {
        array.add(value(depth + 1));
      } while (isNext(','));
      expect(']');
      return array;
    }

    private String string() throws IOException {
      var string = new StringBuilder();
      expect('"');
      while (text.charAt(at) != '"') {
        var c = text.charAt(at++);
        if (c != '\\') {
          string.append(c);
          continue;
        }
        var escaped = text.charAt(at++);
        var plain = "\"\\/bfnrt".indexOf(escaped);
        if (plain >= 0) {
          string.append("\"\\/\b\f\n\r\t".charAt(plain));
        } else if (escaped == 'u') {
          string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
        } else {
          throw new MalformedException("malformed JSON");
        }
      }
      at++;
      return string.toString();
    }

    private Object word() {
      var from = at;
      while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      var word = text.substring(from, at);
      return switch (word) {
        case "true" -> true;
        case "false" -> false;
        case "null" -> null;
        default -> new BigDecimal(word);
      };
    }
  }
}
