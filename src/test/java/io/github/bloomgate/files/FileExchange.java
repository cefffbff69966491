package io.github.bloomgate.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Exports to memory, checking the announced length, and imports from there. */
final class FileExchange {

  private FileExchange() {}

  static byte[] export(TestInstance instance, FilterName name) throws IOException {
    return export(instance, name, false);
  }

  static byte[] export(TestInstance instance, FilterName name, boolean isPlain) throws IOException {
    var out = new ByteArrayOutputStream();
    var export = instance.exports.begin(name, FileFormat.BLOOMGATE, isPlain);
    export.writeTo(out);
    assertEquals(export.length(), out.size());
    return out.toByteArray();
  }

  static Description load(TestInstance instance, FilterName name, byte[] file) {
    return instance.imports.load(
        name, FileDescription.of(FileFormat.BLOOMGATE), new ByteArrayInputStream(file), Quota.NONE);
  }
}
