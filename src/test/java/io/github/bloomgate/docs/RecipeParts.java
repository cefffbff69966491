package io.github.bloomgate.docs;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/** Third-party libraries, copied by the build, to check recipes and manifests with. */
final class RecipeParts {

  static final Path FOLDER = Path.of("target", "recipes").toAbsolutePath();

  private RecipeParts() {}

  /** A loader for these libraries only, without the service and its dependencies. */
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
