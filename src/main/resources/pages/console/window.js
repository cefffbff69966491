// Filters that forget: for how long they remember, and what their slices hold.

import { moment, number, percent, significant } from './numbers.js';
import { figure } from './parts.js';

/** Into how many slices a window is cut if nothing else is asked for. */
export const SLICES = 8;

const UNITS = [['days', 86400], ['hours', 3600], ['minutes', 60], ['seconds', 1]];

/** How long, in the largest unit that fits: 1.5 days. */
export function span(seconds) {
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? UNITS.at(-1);
  return `${significant(seconds / length)} ${unit}`;
}

/** For how long elements are remembered. */
export function windowInWords({ window, refresh }) {
  const times = window.seconds
    ? `for at least ${span(window.rememberedAtLeastSeconds)}, at most ${span(window.rememberedAtMostSeconds)}`
    : `during at least ${number(window.rememberedAtLeastInsertions)} later additions, at most ${number(window.rememberedAtMostInsertions)}`;
  const again = refresh ? 'Adding it again has it remembered for a whole window again.' : 'Adding it again does not make that longer.';
  return `Remembers each element ${times}, and then forgets it. ${again}`;
}

/** The slices that are remembered, the newest first. */
export function sliceFigures(filter) {
  return filter.liveSlices.map((slice, index) => figure(
    slice.openedAt ? `Slice since ${moment(slice.openedAt)}` : `Slice ${number(index + 1)}, ${index === 0 ? 'the newest' : 'older'}`,
    `${number(slice.elements)} elements`,
    `${percent(slice.fillRatio)} of its bits are set`));
}
