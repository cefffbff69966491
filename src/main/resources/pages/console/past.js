// The history of filters: the last 15 minutes while the tab is open.

import { number, rateWords, significant, timeOfDay } from './numbers.js';
import { plot } from './plot.js';

/** The number of filters with a history, and its length in milliseconds. */
const FILTERS = 20;
const KEPT = 15 * 60 * 1000;

/** The shortest time axis, and the steps between its marks, in milliseconds. */
const SHORTEST = 60 * 1000;
const STEPS = [15, 30, 60, 120, 300].map((seconds) => 1000 * seconds);
const MOST_MARKS = 6;

/** The time over which the pace is measured, in milliseconds. */
const PACE = 10 * 1000;

const pasts = new Map();

/** Adds the current figures of a filter to its history. */
export function note(filter) {
  const { name } = filter;
  const now = Date.now();
  const looks = (pasts.get(name) ?? []).filter(({ time }) => time > now - KEPT);
  looks.push({ time: now, rate: filter.estimatedFalsePositiveProbability, held: filter.approximateElementCount, insertions: filter.insertions });
  // The most recently shown filter is dropped last.
  pasts.delete(name);
  pasts.set(name, looks);
  if (pasts.size > FILTERS) {
    pasts.delete(pasts.keys().next().value);
  }
}

/** Rounds to whole minutes or parts of them. */
function roundTimes(begin, end) {
  const step = STEPS.find((each) => (end - begin) / each < MOST_MARKS);
  const first = step * Math.ceil(begin / step);
  return Array.from({ length: 1 + Math.floor((end - first) / step) }, (_, mark) => first + mark * step);
}

/** The number of new elements per second. Removals can make it negative. */
function pace(looks) {
  const last = looks.at(-1);
  const before = looks.find(({ time }) => time > last.time - PACE - 1000);
  const seconds = (last.time - before.time) / 1000;
  return seconds > 0 ? ` ${significant((last.insertions - before.insertions) / seconds, 2)} new elements/s.` : '';
}

function past(id, looks, { title, of, words, paint, target, more = '' }) {
  const [first, last] = [looks[0], looks.at(-1)];
  const text = Object.is(of(first), of(last))
    ? `${words(of(last))} since ${timeOfDay(first.time)}.`
    : `From ${words(of(first))} at ${timeOfDay(first.time)} to ${words(of(last))}.`;
  const begin = Math.min(first.time, last.time - SHORTEST);
  const lines = [{ label: title.toLowerCase(), paint, points: looks.map((look) => ({ x: look.time, y: of(look) })) }];
  if (target) {
    lines.push({
      label: `target ${rateWords(target)}`, paint: 'warn', kind: 'dashed',
      points: [{ x: begin, y: target }, { x: last.time, y: target }] });
  }
  return plot(id, `${title} over time`, `${text}${more}`, {
    lines,
    x: { min: begin, max: last.time, words: timeOfDay, at: roundTimes(begin, last.time) },
    y: { min: 0, suggestedMax: target && 1.2 * target, words },
  });
}

/** Two plots, each with its own axis of values. */
export function pastPlots(filter) {
  const looks = pasts.get(filter.name);
  const target = filter.falsePositiveProbability;
  return [
    past('past-rate', looks, {
      title: 'False-positive rate', paint: 'accent', target, of: ({ rate }) => rate, words: (value) => rateWords(value, target) }),
    past('past-elements', looks, {
      title: 'Elements', paint: 'text', of: ({ held }) => held ?? NaN, more: pace(looks), words: (value) => (Number.isNaN(value) ? 'saturated' : number(value)) }),
  ];
}
