package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.bloomgate.fuzz.HttpCase.Flaw;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes requests from the contract: valid ones, some at the limits, and broken ones. */
final class HttpCases {

  private static final List<String> METHODS =
      List.of(
          "GET",
          "HEAD",
          "PUT",
          "POST",
          "DELETE",
          "PATCH",
          "OPTIONS",
          "TRACE",
          "PROPFIND",
          "get",
          "X");

  private final Contract contract;
  private final long seed;
  private final int workers;
  private final String prefix;
  private final Map<String, byte[]> files;

  /**
   * @param prefix the prefix of all names
   * @param files a file to import for each format
   */
  HttpCases(Contract contract, long seed, int workers, String prefix, Map<String, byte[]> files) {
    this.contract = contract;
    this.seed = seed;
    this.workers = workers;
    this.prefix = prefix;
    this.files = files;
  }

  Names names(int worker) {
    return new Names(prefix, worker);
  }

  /** Makes the request with this number. It is always the same for a seed. */
  HttpCase make(long index) {
    return new Making(index).make();
  }

  private final class Making {
    private final long index;
    private final Dice dice;
    private final Names names;
    private final Operation operation;
    private final boolean broken;
    private final Values values;
    private final Set<Flaw> flaws = EnumSet.noneOf(Flaw.class);
    private final RequestHeaders headers;

    private Making(long index) {
      this.index = index;
      dice = new Dice(seed, index);
      headers = new RequestHeaders(dice, flaws);
      names = names((int) (index % workers));
      operation =
          dice.of(contract.operations().stream().filter(some -> !some.isEndless()).toList());
      var kind = dice.below(100);
      broken = kind < 45;
      values = new Values(contract, names, dice, kind < 65);
    }

    private HttpCase make() {
      var onKept = broken && dice.percent(80);
      var name =
          dice.percent(2)
              ? prefix + "missing"
              : onKept ? names.kept(dice.below(Kept.FILTERS)) : names.victim(dice);
      // Chosen first, because each part checks whether it applies the flaw.
      var flaw = broken ? dice.of(possibleFlaws()) : null;
      if (flaw != null) {
        flaws.add(flaw);
      }
      var body =
          operation.bodies().isEmpty()
              ? new byte[0]
              : new RequestBody(operation, files, values, dice, flaws, headers).make();
      var target = new PathAndQuery(operation, name, values, dice, flaws).make();
      var method = has(Flaw.METHOD) ? otherMethod() : operation.method();
      headers.addAccept();
      headers.addUnusual();
      return new HttpCase(
          index, operation, assemble(method, target, body), has(Flaw.CUT), onKept, flaws);
    }

    private List<Flaw> possibleFlaws() {
      var possible =
          new ArrayList<>(
              List.of(
                  Flaw.METHOD,
                  Flaw.PATH,
                  Flaw.UNKNOWN_PARAMETER,
                  Flaw.PERCENT,
                  Flaw.ACCEPT,
                  Flaw.HEADER));
      if (operation.path().contains("{name}")) {
        possible.add(Flaw.NAME);
      }
      if (!operation.query().isEmpty()) {
        possible.addAll(List.of(Flaw.PARAMETER, Flaw.PARAMETER, Flaw.PARAMETER));
      }
      if (!operation.bodies().isEmpty()) {
        for (var times = 0; times < 8; times++) {
          possible.add(Flaw.BODY);
        }
        possible.addAll(List.of(Flaw.MEDIA_TYPE, Flaw.MEDIA_TYPE, Flaw.CODING, Flaw.CODING));
        possible.add(Flaw.CUT);
      }
      return possible;
    }

    private boolean has(Flaw flaw) {
      return flaws.contains(flaw);
    }

    private String otherMethod() {
      var taken = contract.at(operation.path()).keySet();
      return dice.of(METHODS.stream().filter(method -> !taken.contains(method)).toList());
    }

    private byte[] assemble(String method, String target, byte[] body) {
      var request = new ByteArrayOutputStream();
      var bare = body.length == 0 && operation.bodies().isEmpty() && dice.percent(90);
      var chunked = !bare && !has(Flaw.CUT) && dice.percent(15);
      if (chunked) {
        headers.add("Transfer-Encoding", "chunked");
      } else if (!bare) {
        var missing = has(Flaw.CUT) ? 1 + dice.below(1000) : 0;
        headers.add("Content-Length", "" + (body.length + missing));
      }
      request.writeBytes(
          "%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n"
              .formatted(method, target, dice.percent(1) ? "evil.example:99" : "localhost", headers)
              .getBytes(ISO_8859_1));
      if (chunked) {
        chunks(body, request);
      } else {
        request.writeBytes(body);
      }
      return request.toByteArray();
    }

    private void chunks(byte[] body, ByteArrayOutputStream request) {
      for (var from = 0; from < body.length; ) {
        var length = Math.min(body.length - from, 1 + dice.length(100_000));
        request.writeBytes("%x\r\n".formatted(length).getBytes(ISO_8859_1));
        request.write(body, from, length);
        request.writeBytes("\r\n".getBytes(ISO_8859_1));
        from += length;
      }
      request.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
    }
  }
}
