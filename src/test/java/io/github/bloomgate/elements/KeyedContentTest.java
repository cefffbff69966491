package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.PATIENCE;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Keyed filters whose content moves: rebuilt, copied, merged, in files. */
class KeyedContentTest extends KeyedInstances {

  @Test
  void aRebuildKeysAPlainFilterAndTakesAnotherToTheNewSecret() {
    var name = rotated.create(name(), plain()).name();
    rotated.add(name, SOME);
    var before = bits(name);
    replace(name, keyed());
    assertHolds(rotated, name);
    assertNotEquals(before, bits(name));

    var old = filled().name();
    var salt = origin(old);
    replace(old, null);
    assertEquals(salt, origin(old), "a rebuild that names no scheme keeps the key");
    assertHolds(knowing, old);
    replace(old, keyed());
    assertNotEquals(salt.secretId(), origin(old).secretId());
    assertHolds(ofOther, old);
    assertFails(ErrorCode.SECRET_MISSING, () -> knowing.test(old, SOME));
  }

  @Test
  void addsDuringARebuildGoToBothKeys() {
    var name = filled().name();
    var next = rotated.openings.open(name, live -> keyed(), PATIENCE);
    rotated.add(name, OTHERS);
    await(rotated.loads.load(next, SOME));
    assertFails(ErrorCode.SECRET_MISSING, () -> knowing.add(name, elements("late", 1)));
    rotated.rebuilds.commit(next, 1, NewDeadline.KEEP);
    ofOther.assertMaybe(name, SOME);
    ofOther.assertMaybe(name, OTHERS);
  }

  private static void replace(FilterName name, FilterParameters parameters) {
    var next =
        rotated.openings.open(name, live -> parameters == null ? live : parameters, PATIENCE);
    await(rotated.loads.load(next, SOME));
    rotated.rebuilds.commit(next, 1, NewDeadline.KEEP);
  }

  @Test
  void copiesKeepTheKeyAndOnlyTheyCanBeMerged() {
    var name = filled().name();
    var copy = name();
    knowing.copies.copy(name, copy, false, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    assertEquals(origin(name), origin(copy));
    assertHolds(knowing, copy);

    knowing.add(copy, OTHERS);
    knowing.merges.merge(name, List.of(copy), OptionalDouble.empty(), TestInstance.STAYS);
    knowing.assertMaybe(name, OTHERS);

    var stranger = filled().name();
    assertFails(
        ErrorCode.INCOMPATIBLE_FILTERS,
        () ->
            knowing.merges.merge(
                name, List.of(stranger), OptionalDouble.empty(), TestInstance.STAYS));
    var unkeyed = knowing.create(name(), plain()).name();
    assertFails(
        ErrorCode.INCOMPATIBLE_FILTERS,
        () ->
            knowing.merges.merge(
                unkeyed, List.of(name), OptionalDouble.empty(), TestInstance.STAYS));
  }

  @Test
  void aFileCarriesTheKeyToWhoeverKnowsTheSecret() throws IOException {
    var filter = filled();
    var file = new ByteArrayOutputStream();
    ofNone.exports.begin(filter.name(), FileFormat.BLOOMGATE).writeTo(file);
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () -> knowing.exports.begin(filter.name(), FileFormat.REDIS_BITMAP));

    var imported = name();
    load(rotated, imported, file);
    assertEquals(origin(filter.name()), origin(imported));
    assertHolds(knowing, imported);

    for (var instance : List.of(ofOther, ofNone)) {
      var name = name();
      var refused = assertThrows(BloomException.class, () -> load(instance, name, file));
      assertEquals(ErrorCode.SECRET_MISSING, refused.code());
      assertEquals(List.of(), knowing.keysWith(name.value()));
    }
  }

  private static void load(TestInstance instance, FilterName name, ByteArrayOutputStream file) {
    instance.imports.load(
        name,
        FileDescription.of(FileFormat.BLOOMGATE),
        new ByteArrayInputStream(file.toByteArray()),
        Quota.NONE);
  }
}
