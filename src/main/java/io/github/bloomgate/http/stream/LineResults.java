package io.github.bloomgate.http.stream;

import io.github.bloomgate.model.lines.LineBatch;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the results for a batch of lines. */
public interface LineResults {
  void write(LineBatch batch, boolean[] flags, OutputStream out) throws IOException;
}
