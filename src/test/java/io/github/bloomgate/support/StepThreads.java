package io.github.bloomgate.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that wait for replies which the test controls. After each step, the test waits until all
 * threads are blocked or done. Only one thread runs at a time, so the same steps repeat a run
 * exactly.
 */
public final class StepThreads implements Executor {

  private static final long PAUSE_NANOS = 10_000;

  private final List<Thread> threads = new ArrayList<>();

  /** Starts work and returns when it waits or is done. The work may call it. */
  @Override
  public void execute(Runnable work) {
    var thread = new Thread(work, "step");
    thread.setDaemon(true);
    synchronized (threads) {
      threads.add(thread);
    }
    thread.start();
    awaitIdle(thread);
  }

  /** Returns when all threads wait or are done. */
  public void awaitIdle() {
    copy().forEach(this::awaitIdle);
  }

  private void awaitIdle(Thread thread) {
    var end = System.nanoTime() + InParallel.MAX_WAIT.toNanos();
    while (thread.isAlive() && !waits(thread)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Neither waits nor ends: " + List.of(thread.getStackTrace()));
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    if (!thread.isAlive()) {
      synchronized (threads) {
        threads.remove(thread);
      }
    }
  }

  private List<Thread> copy() {
    synchronized (threads) {
      return List.copyOf(threads);
    }
  }

  /**
   * Whether it waits for a result that has not arrived. The text of a latch says whether it is
   * closed.
   */
  private static boolean waits(Thread thread) {
    var blocker = LockSupport.getBlocker(thread);
    return thread.getState() == Thread.State.WAITING
        && blocker != null
        && blocker.toString().contains("State = 1");
  }
}
