package io.github.bloomgate.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** A connection of {@link SocketLoad}, which sends one request at a time. */
final class HttpExchange {

  private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(StandardCharsets.ISO_8859_1);
  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final int ANSWER_BUFFER = 1 << 16;

  private final SelectionKey key;
  private final SocketChannel channel;
  private final Requests requests;
  private final AtomicLong serial;
  private final long limit;
  private final Latencies latencies;
  private final byte[] request;
  private final ByteBuffer out;
  private final byte[] answer = new byte[ANSWER_BUFFER];
  private final ByteBuffer in = ByteBuffer.allocateDirect(ANSWER_BUFFER);
  private int received;
  private int answerEnd;
  private long begun;

  HttpExchange(
      SelectionKey key,
      SocketChannel channel,
      Requests requests,
      AtomicLong serial,
      long limit,
      Latencies latencies) {
    this.key = key;
    this.channel = channel;
    this.requests = requests;
    this.serial = serial;
    this.latencies = latencies;
    this.limit = limit;
    this.request = new byte[requests.longest()];
    this.out = ByteBuffer.allocateDirect(requests.longest());
  }

  /** Sends the next request, unless all have been sent. */
  void begin() {
    var number = serial.getAndIncrement();
    if (number >= limit) {
      return;
    }
    var next = requests.pool().get((int) (number % requests.pool().size()));
    var length = next.bytes().length;
    System.arraycopy(next.bytes(), 0, request, 0, length);
    if (next.isMarked()) {
      SerialMarks.fill(request, length, number);
    }
    out.clear();
    out.put(request, 0, length).flip();
    received = 0;
    answerEnd = -1;
    begun = System.nanoTime();
    write();
  }

  void proceed() {
    if (key.isWritable()) {
      write();
    }
    if (key.isReadable() && read()) {
      latencies.add(System.nanoTime() - begun);
      begin();
    }
  }

  private void write() {
    try {
      channel.write(out);
      key.interestOps(
          out.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the bytes that have arrived, and returns whether the response is complete. */
  private boolean read() {
    try {
      in.clear();
      if (channel.read(in) < 0) {
        throw new EOFException("the server closed a connection");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    in.flip();
    var arrived = in.remaining();
    in.get(answer, received, arrived);
    received += arrived;
    if (answerEnd < 0) {
      answerEnd = findEnd();
    }
    return answerEnd >= 0 && received >= answerEnd;
  }

  private int findEnd() {
    var length = 0;
    for (var i = STATUS_AT; i + 3 < received; i++) {
      if (answer[i] != '\r') {
        continue;
      }
      if (answer[i + 2] == '\r') {
        requireSuccess();
        return i + 4 + length;
      }
      if (isLengthHeader(i)) {
        length = number(i + LENGTH.length);
      }
    }
    return -1;
  }

  private boolean isLengthHeader(int at) {
    for (var i = 0; i < LENGTH.length; i++) {
      if (at + i >= received || Character.toLowerCase(answer[at + i]) != LENGTH[i]) {
        return false;
      }
    }
    return true;
  }

  private int number(int at) {
    var number = 0;
    for (var i = at; i < received && answer[i] != '\r'; i++) {
      if (answer[i] != ' ') {
        number = number * 10 + answer[i] - '0';
      }
    }
    return number;
  }

  private void requireSuccess() {
    if (answer[STATUS_AT] != '2') {
      throw new IllegalStateException(
          "An answer is not a success: " + new String(answer, 0, received, StandardCharsets.UTF_8));
    }
  }
}
