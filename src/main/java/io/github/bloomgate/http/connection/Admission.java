package io.github.bloomgate.http.connection;

import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/**
 * Admits a request if there is memory for it and its response until the client has read it. This
 * also bounds the requests that wait for a thread, whose queue has no limit of its own.
 */
@Singleton
public class Admission {

  private final MemoryBudget memory;

  Admission(MemoryBudget memory) {
    this.memory = memory;
  }

  /**
   * Takes the memory of a request before any work is done for it.
   *
   * @param client whose share it takes
   * @return false if there is not even memory for a refusal, so that the request was cut off
   * @throws BloomException OVERLOADED if there is no room
   */
  public boolean admit(RoutingContext context, String client) {
    var exchange = Exchange.of(context);
    if (exchange.admit(memory.hold(Use.ANSWERS, client))) {
      return true;
    }
    memory.countRefusal(Use.ANSWERS);
    // The refusal may stay unread, too.
    if (exchange.admit(memory.hold(Use.CONNECTIONS, client))) {
      throw RequestErrors.unreadResponses();
    }
    exchange.refuse();
    return false;
  }
}
