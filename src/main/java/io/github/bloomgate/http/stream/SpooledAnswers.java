package io.github.bloomgate.http.stream;

import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.model.lines.ScratchFile;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The results of a stream on their way to the client. Results that cannot be sent yet go to a
 * temporary file, so that reading the body can continue: many clients do not read before they have
 * sent everything. Without room for more, a write waits for the client.
 *
 * <p>Bypasses the framework's output stream, whose writes may block. Not thread-safe, except for
 * closing.
 */
public final class SpooledAnswers extends OutputStream {

  private static final int PIECE = 1 << 14;

  /** The first piece: less than the framework's buffer, so that writing it never blocks. */
  private static final int HEAD = 8000;

  private static final int MOST_UNDER_WAY = 1 << 17;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final HttpServerResponse response;
  private final Slot slot;

  private final AtomicInteger underWay = new AtomicInteger();

  /** Takes the first piece, because the framework sends the head with it; then null. */
  private OutputStream head;

  private FileChannel file;
  private long sent;
  private long spooled;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private boolean isClosed;

  public SpooledAnswers(HttpServerResponse response, Slot slot) {
    this.response = response;
    this.slot = slot;
  }

  public synchronized long size() {
    return spooled - sent;
  }

  /** Begins the response, before the first write. */
  public void begin(OutputStream body) {
    head = body;
  }

  /** Sends until the client stops reading, then waits, longer each time. */
  public void catchUp() throws IOException {
    requireClient();
    if (maySend()) {
      sendSpooled();
    } else {
      LockSupport.parkNanos(pauseNanos);
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
  }

  public void finish() throws IOException {
    while (size() > 0) {
      catchUp();
    }
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int start, int length) throws IOException {
    requireClient();
    sendSpooled();
    pauseNanos = FIRST_PAUSE_NANOS;
    var answers = ByteBuffer.wrap(bytes, start, length);
    while (answers.hasRemaining()) {
      if (size() == 0 && maySend()) {
        var piece = piece(answers.remaining());
        answers.get(piece);
        send(piece);
      } else if (!spool(answers)) {
        catchUp();
      }
    }
  }

  private boolean maySend() {
    return underWay.get() < MOST_UNDER_WAY;
  }

  private byte[] piece(long most) {
    return new byte[(int) Math.min(head == null ? PIECE : HEAD, most)];
  }

  private void send(byte[] piece) throws IOException {
    if (head != null) {
      head.write(piece);
      head.flush();
      head = null;
      return;
    }
    underWay.addAndGet(piece.length);
    response.write(Buffer.buffer(piece)).onComplete(written -> underWay.addAndGet(-piece.length));
  }

  private void requireClient() throws IOException {
    if (response.closed()) {
      throw new IOException("The client closed the connection");
    }
  }

  /** Appends results to the waiting ones; false if there is no room. */
  public synchronized boolean spool(ByteBuffer answers) throws IOException {
    if (isClosed) {
      throw new IOException("The client closed the connection");
    }
    var bytes = answers.remaining();
    if (!slot.keep(bytes)) {
      return false;
    }
    var rest = answers.duplicate();
    try {
      if (file == null) {
        file = ScratchFile.open("bloomgate-answers-");
      }
      for (var at = spooled; rest.hasRemaining(); ) {
        at += file.write(rest, at);
      }
    } catch (IOException disk) {
      slot.report(disk);
      slot.drop(bytes);
      return false;
    }
    spooled += bytes;
    answers.position(answers.limit());
    return true;
  }

  private synchronized void sendSpooled() throws IOException {
    while (size() > 0 && maySend()) {
      var piece = piece(size());
      read(ByteBuffer.wrap(piece));
      send(piece);
    }
    if (size() == 0 && spooled > 0) {
      // Other streams get the room, so the disk must have it.
      file.truncate(0);
      forget();
    }
  }

  private void read(ByteBuffer piece) throws IOException {
    while (piece.hasRemaining()) {
      var count = file.read(piece, sent);
      if (count < 0) {
        throw new IOException("The temporary file of the results is cut short");
      }
      sent += count;
    }
  }

  private void forget() {
    slot.drop(spooled);
    sent = 0;
    spooled = 0;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    forget();
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException useless) {
      slot.report(useless);
    }
  }
}
