package io.github.bloomgate.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A page in a headless Chromium. Its methods wait for the elements that they use. */
public final class Chromium implements AutoCloseable {

  static final Duration MAX_WAIT = Duration.ofMinutes(1);

  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
  private final Queue<String> saved = new ConcurrentLinkedQueue<>();
  private final Path folder;
  private final ChromiumProcess process;
  private final DevTools tools;
  private final String page;

  private Chromium(Path folder, ChromiumProcess process) throws IOException {
    this.folder = folder;
    this.process = process;
    tools = new DevTools(process.address(), this::take, MAX_WAIT);
    tools.call(
        "",
        "Browser.setDownloadBehavior",
        Map.of(
            "behavior", "allowAndName", "downloadPath", folder.toString(), "eventsEnabled", true));
    var target = tools.call("", "Target.createTarget", Map.of("url", "about:blank"));
    page =
        tools
            .call(
                "",
                "Target.attachToTarget",
                Map.of("targetId", target.get("targetId").asText(), "flatten", true))
            .get("sessionId")
            .asText();
    for (var domain : List.of("Log", "Runtime", "Page", "DOM")) {
      call(domain + ".enable", Map.of());
    }
  }

  public static boolean isInstalled() {
    return ChromiumProcess.installed().isPresent();
  }

  /** Starts a browser with its own profile. Skips the test if Chromium is not installed. */
  public static Chromium start() throws Exception {
    // A browser installed by snap cannot read files in the folder for temporary files.
    var target = Files.createDirectories(Path.of("target"));
    var folder = Files.createTempDirectory(target, "chromium-").toAbsolutePath();
    var process = ChromiumProcess.start(folder);
    try {
      return new Chromium(folder, process);
    } catch (Throwable failure) {
      ChromiumProcess.end(process.all(), Duration.ZERO);
      throw failure;
    }
  }

  /** Its folder, where it can read files, until it is closed. */
  public Path folder() {
    return folder;
  }

  private void take(JsonNode event) {
    var content = event.path("params");
    switch (event.path("method").asText()) {
      case "Log.entryAdded" -> complainIf(content.at("/entry/level").asText(), content);
      case "Runtime.consoleAPICalled" -> complainIf(content.path("type").asText(), content);
      case "Runtime.exceptionThrown" -> complaints.add(content.toString());
      case "Browser.downloadProgress" -> {
        if (content.path("state").asText().equals("completed")) {
          saved.add(content.path("guid").asText());
        }
      }
      // Leaving a page is always confirmed.
      case "Page.javascriptDialogOpening" -> {
        var unused = tools.send(page, "Page.handleJavaScriptDialog", Map.of("accept", true));
      }
      default -> {}
    }
  }

  private void complainIf(String level, JsonNode content) {
    if (level.equals("error") || level.equals("assert")) {
      complaints.add(content.toString());
    }
  }

  /**
   * Errors in its console since the last call: violations of the content security policy,
   * exceptions, failed requests.
   */
  public List<String> takeComplaints() {
    return Stream.generate(complaints::poll).takeWhile(Objects::nonNull).toList();
  }

  public void open(String url) {
    var opened = call("Page.navigate", Map.of("url", url));
    if (opened.has("errorText")) {
      throw new AssertionError(url + ": " + opened.get("errorText").asText());
    }
  }

  public JsonNode evaluate(String expression) {
    var answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "userGesture", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.path("result").path("value");
  }

  /**
   * Waits until an expression is true. Checks often at first, because most become true at once and
   * there are thousands of waits.
   */
  public void await(String expression) {
    Awaitility.await(expression)
        .atMost(MAX_WAIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(25))
        .until(() -> evaluate("Boolean(" + expression + ")").asBoolean());
  }

  /** Whether there is an element now. */
  public boolean has(String selector) {
    return evaluate(element(selector) + " !== null").asBoolean();
  }

  /** Clicks an element as soon as that is possible. */
  public void click(String selector) {
    await("(e => e && !e.disabled)(" + element(selector) + ")");
    evaluate(element(selector) + ".click()");
  }

  /** Replaces the text of a field. */
  public void type(String selector, String text) {
    set(selector, text, "input");
  }

  /**
   * Writes into a field like a user, so that the browser reports a change once the field loses the
   * focus.
   */
  public void write(String selector, String text) {
    await(element(selector));
    evaluate(element(selector) + ".focus()");
    call("Input.insertText", Map.of("text", text));
  }

  /**
   * Runs a script in each page before those of the page.
   *
   * @return its id
   */
  public String addScript(String script) {
    return call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
        .get("identifier")
        .asText();
  }

  public void removeScript(String id) {
    call("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", id));
  }

  /** Selects an option of a list. */
  public void pick(String selector, String option) {
    set(selector, option, "change");
  }

  private void set(String selector, String value, String event) {
    await(element(selector));
    evaluate(element(selector) + ".value = " + quoted(value));
    evaluate(element(selector) + ".dispatchEvent(new Event('" + event + "', {bubbles: true}))");
  }

  /** Sets the size of the window in pixels. */
  public void resize(int width, int height) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  public void dark(boolean isDark) {
    var scheme = Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light");
    call("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
  }

  public void offline(boolean isOffline) {
    network(isOffline, -1);
  }

  /** Limits the bytes that the browser sends in a second; -1 sets no limit. */
  public void limitUploads(int bytesPerSecond) {
    network(false, bytesPerSecond);
  }

  private void network(boolean isOffline, int sentPerSecond) {
    call("Network.enable", Map.of());
    call(
        "Network.emulateNetworkConditions",
        Map.of(
            "offline",
            isOffline,
            "latency",
            0,
            "downloadThroughput",
            -1,
            "uploadThroughput",
            sentPerSecond));
  }

  /** Presses a key, such as {@code Tab}, {@code Enter} or {@code Escape}. */
  public void press(String key) {
    var text = key.equals("Enter") ? "\r" : "";
    var code = Map.of("Tab", 9, "Enter", 13, "Escape", 27).get(key);
    for (var type : List.of(text.isEmpty() ? "rawKeyDown" : "keyDown", "keyUp")) {
      call(
          "Input.dispatchKeyEvent",
          Map.of(
              "type", type,
              "key", key,
              "code", key,
              "windowsVirtualKeyCode", code,
              "text", type.equals("keyDown") ? text : ""));
    }
  }

  public void hideScrollbars() {
    call("Emulation.setScrollbarsHidden", Map.of("hidden", true));
  }

  /** Draws the visible part of the page into a file. */
  public void screenshotOfWindow(Path file) throws IOException {
    var shot = call("Page.captureScreenshot", Map.of("format", "png"));
    Files.write(file, Base64.getDecoder().decode(shot.get("data").asText()));
  }

  /** Selects a file. */
  public void upload(String selector, Path file) {
    await(element(selector));
    var input = call("Runtime.evaluate", Map.of("expression", element(selector)));
    call(
        "DOM.setFileInputFiles",
        Map.of(
            "objectId", input.at("/result/objectId").asText(),
            "files", List.of(file.toAbsolutePath().toString())));
  }

  /** Clicks a download and returns the file. */
  public Path save(String selector) {
    click(selector);
    Awaitility.await(selector).atMost(MAX_WAIT).until(() -> !saved.isEmpty());
    return folder.resolve(saved.remove());
  }

  public String text(String selector) {
    await(element(selector));
    return evaluate(element(selector) + ".innerText").asText();
  }

  /** Returns what is in a field. */
  public String value(String selector) {
    await(element(selector));
    return evaluate(element(selector) + ".value").asText();
  }

  /** The expression for an element. */
  public static String element(String selector) {
    return "document.querySelector(" + quoted(selector) + ")";
  }

  /** A text as an expression. */
  public static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }

  private JsonNode call(String method, Map<String, ?> parameters) {
    return tools.call(page, method, parameters);
  }

  @Override
  public void close() throws IOException {
    var all = process.all();
    var unused = tools.send("", "Browser.close", Map.of());
    ChromiumProcess.end(all, MAX_WAIT);
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
