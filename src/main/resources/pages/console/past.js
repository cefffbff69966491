// How a filter has been since the page is open.

import { oneIn, percent, timeOfDay } from './numbers.js';
import { plot } from './plot.js';

/** So many looks are kept of a filter, and so many filters; of longer times every second look goes. */
const LOOKS = 400;
const FILTERS = 20;

const pasts = new Map();

/** Takes note of how a filter is now. */
export function note(filter) {
  const { name } = filter;
  let looks = pasts.get(name) ?? [];
  looks.push({ time: Date.now(), fill: filter.fillRatio, rate: filter.estimatedFalsePositiveProbability });
  if (looks.length > LOOKS) {
    looks = looks.filter((_, index) => index % 2 === 0);
  }
  // The one that was looked at last is the last to go.
  pasts.delete(name);
  pasts.set(name, looks);
  if (pasts.size > FILTERS) {
    pasts.delete(pasts.keys().next().value);
  }
}

export function pastPlot(filter) {
  const looks = pasts.get(filter.name);
  const [first] = looks;
  const last = looks.at(-1);
  const text = first.fill === last.fill
    ? `Since ${timeOfDay(first.time)}: ${percent(last.fill)} of its bits are set, and nothing has changed.`
    : `Since ${timeOfDay(first.time)} the bits that are set went from ${percent(first.fill)} to ${percent(last.fill)}, ` +
      `and the strangers let through from ${oneIn(first.rate)} to ${oneIn(last.rate)}.`;
  return plot('past', text, {
    lines: [
      { label: 'bits set', paint: 'accent', points: looks.map(({ time, fill }) => ({ x: time, y: fill })) },
      { label: 'strangers let through', paint: 'warn', kind: 'dashed', axis: 'y2',
        points: looks.map(({ time, rate }) => ({ x: time, y: rate })) },
    ],
    x: { title: 'time', min: first.time, max: Math.max(last.time, first.time + 60000), words: (value) => timeOfDay(value) },
    y: { title: 'bits set', min: 0, suggestedMax: 0.5, words: (value) => percent(value) },
    y2: { title: 'strangers let through', min: 0, suggestedMax: filter.falsePositiveProbability, words: (value) => percent(value) },
  });
}
