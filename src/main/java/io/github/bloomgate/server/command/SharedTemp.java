package io.github.bloomgate.server.command;

import io.github.bloomgate.config.Exposure;
import java.io.IOException;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/**
 * The temporary folder of the machine. Only Netty's native library is briefly stored there while it
 * is loaded, unless other accounts could replace it.
 */
final class SharedTemp {

  /** Netty reads this property on first use. */
  static final String NO_LIBRARY = "io.netty.transport.noNative";

  private static final Logger LOG = Logger.getLogger(SharedTemp.class);

  private SharedTemp() {}

  /** Does not use a folder in which other accounts can rename files. */
  static void avoid(Path folder) {
    if (Boolean.getBoolean(NO_LIBRARY)) {
      return;
    }
    try {
      if (Exposure.isUnsafeToShare(folder)) {
        System.setProperty(NO_LIBRARY, "true");
        LOG.warnf(
            "Other accounts can replace files in the temporary folder %s, so no library is loaded from there, and the embedded redis-server uses a loopback port: run chmod +t on it, or set another with -Djava.io.tmpdir",
            folder);
      }
    } catch (IOException unknown) {
      LOG.debug("The temporary folder cannot be examined, so it cannot be used", unknown);
    }
  }
}
