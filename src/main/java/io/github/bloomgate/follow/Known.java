package io.github.bloomgate.follow;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * What a follower has when it continues.
 *
 * @param incarnation of its content
 * @param marks of the segments that are complete, by index
 */
public record Known(String incarnation, Optional<Resume> resume, Map<Integer, byte[]> marks) {

  boolean has(int segment, byte[] mark) {
    return Arrays.equals(marks.get(segment), mark);
  }
}
