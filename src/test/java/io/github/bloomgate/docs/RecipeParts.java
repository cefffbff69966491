package io.github.bloomgate.docs;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/** The libraries of others that recipes and manifests are checked with. The build copies them. */
final class RecipeParts {

  /** Where they are. */
  static final Path FOLDER = Path.of("target", "recipes").toAbsolutePath();

  private RecipeParts() {}

  /** Loads only their classes, without the service and its dependencies. */
  static URLClassLoader loader() throws IOException {
    try (var jars = Files.list(FOLDER)) {
      var urls = new ArrayList<URL>();
      for (var jar : jars.toList()) {
        urls.add(jar.toUri().toURL());
      }
      return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
  }
}
