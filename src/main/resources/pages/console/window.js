// Window filters.

import { counted, number, percent, significant } from './numbers.js';
import { plot } from './plot.js';

/** The default number of slices. */
export const SLICES = 8;

const UNITS = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]];

/** Larger numbers are hard to read, so a larger unit with a fraction is used. */
const MOST_WHOLE = 1000;

/** A duration in the largest unit without a fraction, if there is one: 1 day, 27 hours. */
export function span(seconds) {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0 && seconds < MOST_WHOLE * each)
    ?? UNITS.find(([, each]) => seconds >= each) ?? UNITS.at(-1);
  const count = seconds / length;
  return `${significant(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** An interval: every day, every 27 hours. */
export const every = (seconds) => `every ${span(seconds).replace(/^1 /, '')}`;

/** The length of a window. */
export const lengthOf = ({ seconds, insertions }) => (seconds ? span(seconds) : counted(insertions, 'add'));

/**
 * The number of shares of the capacity. A slice is closed when it has one share, so bursts need
 * more shares than slices.
 */
export const shares = ({ window, slices }) => (window.seconds ? Math.min(Math.max(2 * slices, 16), 64) : slices);

/** How a window is divided, and how it moves. */
export const slicesInWords = (window, slices) => `${window.seconds
  ? `A new slice starts ${every(window.seconds / slices)}, or earlier if the current one is full.`
  : `A new slice starts after every ${number(Math.round(window.insertions / slices))} elements.`} The oldest slice is dropped as a whole.`;

/** The share of elements that are remembered, by age: in time, or in later adds. */
export function windowPlot({ seconds, insertions }, slices) {
  const length = seconds ?? insertions;
  const words = (age) => (seconds ? span(Math.round(age)) : counted(Math.round(age), 'add'));
  const most = length * (1 + 1 / slices);
  return plot('remembered', `Remembered elements by ${seconds ? 'age' : 'later adds'}`, `All for ${words(length)}, none after ${words(most)}.`, {
    lines: [
      { label: 'remembered', paint: 'accent', points: [{ x: 0, y: 1 }, { x: length, y: 1 }, { x: most, y: 0 }, { x: 1.5 * length, y: 0 }] },
      { label: `window ${words(length)}`, paint: 'soft', kind: 'dashed', points: [{ x: length, y: 0 }, { x: length, y: 1 }] },
    ],
    x: { min: 0, max: 1.5 * length, words: (age) => (age === 0 ? '0' : words(age)), step: length / 4 },
    y: { min: 0, max: 1, words: percent, step: 0.25 },
  });
}

/** How long elements are remembered, in words. */
export function windowInWords({ window, refresh }) {
  const times = window.seconds
    ? `for at least ${span(window.rememberedAtLeastSeconds)} and at most ${span(window.rememberedAtMostSeconds)}`
    : `for at least ${counted(window.rememberedAtLeastInsertions, 'later add')} and at most ${counted(window.rememberedAtMostInsertions, 'later add')}`;
  return refresh
    ? `Each element is remembered ${times}. Adding it again restarts its window.`
    : `An element that was new when it was added is remembered ${times}. Adding one that is known, or seems to be, does not start a window.`;
}
