// Filters with a window.

import { number, significant } from './numbers.js';

/** Into how many slices a window is cut if nothing else is asked for. */
export const SLICES = 8;

const UNITS = [['days', 86400], ['hours', 3600], ['minutes', 60], ['seconds', 1]];

/** How long, in the largest unit that fits: 1.5 days. */
export function span(seconds) {
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? UNITS.at(-1);
  return `${significant(seconds / length)} ${unit}`;
}

/** How long elements are remembered, in words. */
export function windowInWords({ window, refresh }) {
  const times = window.seconds
    ? `for at least ${span(window.rememberedAtLeastSeconds)}, at most ${span(window.rememberedAtMostSeconds)}`
    : `during at least ${number(window.rememberedAtLeastInsertions)} later adds, at most ${number(window.rememberedAtMostInsertions)}`;
  return `Each element is remembered ${times}. Adding it again ${refresh ? 'starts' : 'does not start'} a new window for it.`;
}
