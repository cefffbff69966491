package io.github.bloomgate.support;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/** Runs tasks one after the other, on the thread that submits the first of them. */
public final class InOrder implements Executor {

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (tasks.size() > 1) {
        return;
      }
    }
    for (var next = task; next != null; ) {
      next.run();
      synchronized (tasks) {
        tasks.poll();
        next = tasks.peek();
      }
    }
  }
}
