package io.github.bloomgate.server.command;

import io.github.bloomgate.config.Exposure;
import java.io.IOException;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/**
 * The temporary folder of the machine. All that is put there is a library of Netty's, for the
 * moment in which it is loaded; where others could replace it, it is not.
 */
final class SharedTemp {

  /** Read by Netty when it is first used. */
  static final String NO_LIBRARY = "io.netty.transport.noNative";

  private static final Logger LOG = Logger.getLogger(SharedTemp.class);

  private SharedTemp() {}

  /** Keeps out of a folder in which others can rename things. */
  static void avoid(Path folder) {
    try {
      if (Exposure.isUnsafeToShare(folder)) {
        System.setProperty(NO_LIBRARY, "true");
        LOG.warnf(
            "Other accounts can replace files in the temporary folder %s, so no library is loaded from there, and the embedded redis-server gets a loopback port: chmod +t it, or name another by -Djava.io.tmpdir",
            folder);
      }
    } catch (IOException unknown) {
      LOG.debug("The temporary folder cannot be looked at, so nothing can be put there", unknown);
    }
  }
}
