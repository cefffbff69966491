package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.portable.FileHeader;
import io.github.bloomgate.portable.FilterFileReader;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** Loads portable files. What is loaded stays hidden until the whole file was verified. */
@ApplicationScoped
public class ImportService {

  private static final Logger LOG = Logger.getLogger(ImportService.class);

  /**
   * Loads a file and lets its content go live. To be run on a thread that may wait; holds less than
   * a megabyte whatever the size of the file.
   *
   * @param opening makes the hidden content, once the header was checked; not called for a file
   *     whose header is wrong
   * @return the header of the file
   * @throws BloomException CORRUPT_IMPORT if the file is not whole, and what the content fails
   *     with; the hidden content was dropped then
   * @throws IOException if the stream fails; likewise
   */
  public FileHeader load(
      InputStream file, Function<FileHeader, Uni<? extends HiddenContent>> opening)
      throws IOException {
    var reader = new FilterFileReader(file);
    HiddenContent content = opening.apply(reader.header()).await().indefinitely();
    try {
      reader.read(new FileLoad(content));
    } catch (IOException | RuntimeException failed) {
      drop(content);
      throw failed;
    }
    content.goLive().await().indefinitely();
    return reader.header();
  }

  private static void drop(HiddenContent content) {
    try {
      content.drop().await().indefinitely();
    } catch (RuntimeException failed) {
      // The failure of the load is what matters; what it left is dropped later by others.
      LOG.warnf("What a broken-off import loaded could not be dropped: %s", failed.getMessage());
    }
  }
}
