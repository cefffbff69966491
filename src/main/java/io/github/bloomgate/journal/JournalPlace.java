package io.github.bloomgate.journal;

/**
 * A position of a journal and the mark that stands before it.
 *
 * @param position bytes of blocks since the generation began
 * @param mark 16 hexadecimal digits
 */
public record JournalPlace(long position, String mark) {}
