package io.github.bloomgate.redis;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The reply of a script: an array that starts with a status word.
 *
 * <p>Reading is strict, without defaults: if an element has another type, every method fails with
 * {@code INTERNAL} and the script's name. The status word has index 0, the first value after it 1.
 */
public final class ScriptReply {
  private static final Pattern DECIMAL = Pattern.compile("0|-?[1-9][0-9]{0,18}");

  private final Script script;
  private final Response response;
  private final String status;
  private final int replicas;

  /**
   * Reads the reply of a script.
   *
   * @param response the reply, null for a nil reply
   * @param replicas the number of replicas that confirmed the change; 0 if they did not have to
   * @throws BloomException {@code INTERNAL} if it is not an array that starts with a status word
   */
  ScriptReply(Script script, Response response, int replicas) {
    this.script = script;
    this.replicas = replicas;
    this.response = response;
    if (!isArray(response) || response.size() == 0) {
      throw unexpected("an array that starts with a status word");
    }
    this.status = text(0);
    if (!isStatus(status)) {
      throw unexpected("a status word at 0");
    }
  }

  // Not a regular expression, because a call may have a status for each of many segments.
  private static boolean isStatus(String text) {
    return !text.isEmpty()
        && text.charAt(0) != '_'
        && text.chars().allMatch(c -> c == '_' || (c >= 'A' && c <= 'Z'));
  }

  /** The number of replicas that confirmed the change; 0 if they did not have to. */
  public int replicas() {
    return replicas;
  }

  /** The first element, a word of capital letters and underscores. */
  public String status() {
    return status;
  }

  /** The constant with the name of the status; fails if there is none. */
  public <E extends Enum<E>> E status(Class<E> constants) {
    return Arrays.stream(constants.getEnumConstants())
        .filter(constant -> constant.name().equals(status))
        .findFirst()
        .orElseThrow(this::unexpectedStatus);
  }

  /** Returns this reply; fails if its status is not OK. */
  public ScriptReply requireOk() {
    if (!status.equals("OK")) {
      throw unexpectedStatus();
    }
    return this;
  }

  /** Creates the exception for a status that the caller does not expect. */
  public BloomException unexpectedStatus() {
    return RequestErrors.internal(
        "Script " + script.fileName() + " answered with the unexpected status " + status, null);
  }

  /** The number of elements, the status word included. */
  public int size() {
    return response.size();
  }

  /** The element at an index as a reply of its own. */
  public ScriptReply reply(int index) {
    return new ScriptReply(script, element(index), replicas);
  }

  /** Whether the element at an index is a string reply. */
  public boolean isText(int index) {
    return isString(element(index));
  }

  /** The elements of the array at an index, each a string reply, as bytes. */
  public List<byte[]> strings(int index) {
    Response element = element(index);
    if (!isArray(element)) {
      throw unexpected("an array at " + index);
    }
    List<byte[]> strings = new ArrayList<>(element.size());
    for (int i = 0; i < element.size(); i++) {
      if (!isString(element.get(i))) {
        throw unexpected("an array of strings at " + index);
      }
      strings.add(element.get(i).toBytes());
    }
    return strings;
  }

  /** The names and values in the array at an index, as HGETALL returns them. */
  public Map<String, byte[]> fields(int index) {
    List<byte[]> strings = strings(index);
    if (strings.size() % 2 != 0) {
      throw unexpected("names and values at " + index);
    }
    Map<String, byte[]> fields = new HashMap<>();
    for (int i = 0; i < strings.size(); i += 2) {
      fields.put(new String(strings.get(i), StandardCharsets.UTF_8), strings.get(i + 1));
    }
    return fields;
  }

  /** The element at an index as UTF-8 text; a string reply only. */
  public String text(int index) {
    return string(index).toString();
  }

  /** The element at an index as bytes; a string reply only. */
  public byte[] bytes(int index) {
    return string(index).toBytes();
  }

  /** The element at an index as a number: an integer reply or decimal text from a hash. */
  public long number(int index) {
    Response element = element(index);
    if (element != null && element.type() == ResponseType.NUMBER) {
      return element.toLong();
    }
    if (isString(element)) {
      String text = element.toString();
      if (DECIMAL.matcher(text).matches()) {
        try {
          return Long.parseLong(text);
        } catch (NumberFormatException e) {
          throw unexpected("a number of 64 bits at " + index);
        }
      }
    }
    throw unexpected("a number at " + index);
  }

  private Response string(int index) {
    Response element = element(index);
    if (!isString(element)) {
      throw unexpected("a string at " + index);
    }
    return element;
  }

  private Response element(int index) {
    if (index < 0 || index >= response.size()) {
      throw unexpected("an element at " + index);
    }
    return response.get(index);
  }

  private static boolean isString(Response element) {
    return element != null
        && (element.type() == ResponseType.BULK || element.type() == ResponseType.SIMPLE);
  }

  // A map reply has the same type as an array but no positions.
  private static boolean isArray(Response element) {
    return element != null && element.type() == ResponseType.MULTI && element.isArray();
  }

  // Does not quote the reply, which may contain elements.
  private BloomException unexpected(String expected) {
    return RequestErrors.internal(
        "Script " + script.fileName() + " was expected to answer with " + expected, null);
  }
}
