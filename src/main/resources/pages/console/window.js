// Window filters.

import { counted, percent, significant } from './numbers.js';
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

/** The length of a window. */
export const lengthOf = ({ seconds, insertions }) => (seconds ? span(seconds) : counted(insertions, 'add'));

/**
 * The number of shares of the capacity. A slice is closed when it has one share, so bursts need
 * more shares than slices.
 */
export const shares = ({ window, slices }) => (window.seconds ? Math.min(Math.max(2 * slices, 16), 64) : slices);

/** How a window is divided, and how it moves. */
export const slicesInWords = (window, slices) => (window.seconds
  ? `${lengthOf(window)} in ${counted(slices, 'slice')} of ${span(window.seconds / slices)} or less. A slice that fills up ends early.`
  : `${lengthOf(window)} in ${counted(slices, 'slice')}.`) + ' The oldest slice is dropped as a whole.';

/** The share of elements that are remembered, by age. */
export function windowPlot(seconds, slices) {
  const most = seconds * (1 + 1 / slices);
  return plot('remembered', 'Remembered elements by age', `All for ${span(seconds)}, none after ${span(most)}.`, {
    lines: [
      { label: 'remembered', paint: 'accent', points: [{ x: 0, y: 1 }, { x: seconds, y: 1 }, { x: most, y: 0 }, { x: 1.5 * seconds, y: 0 }] },
      { label: `window ${span(seconds)}`, paint: 'soft', kind: 'dashed', points: [{ x: seconds, y: 0 }, { x: seconds, y: 1 }] },
    ],
    x: { min: 0, max: 1.5 * seconds, words: (age) => (age === 0 ? '0' : span(Math.round(age))), step: seconds / 4 },
    y: { min: 0, max: 1, words: percent, step: 0.25 },
  });
}

/** How long elements are remembered, in words. */
export function windowInWords({ window, refresh }) {
  const times = window.seconds
    ? `for at least ${span(window.rememberedAtLeastSeconds)} and at most ${span(window.rememberedAtMostSeconds)}`
    : `for at least ${counted(window.rememberedAtLeastInsertions, 'later add')} and at most ${counted(window.rememberedAtMostInsertions, 'later add')}`;
  return `Each element is remembered ${times}. Adding it again ${refresh ? 'restarts' : 'does not restart'} its window.`;
}
