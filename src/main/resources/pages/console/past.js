// The history of filters: the last 15 minutes, as long as the tab is open.

import { number, rateWords, timeOfDay } from './numbers.js';
import { plot } from './plot.js';

/** The number of filters with a history, and its length in milliseconds. */
const FILTERS = 20;
const KEPT = 15 * 60 * 1000;

/** The shortest axis of time, in milliseconds. */
const SHORTEST = 60 * 1000;

const pasts = new Map();

/** Adds the current figures of a filter to its history. */
export function note(filter) {
  const { name } = filter;
  const now = Date.now();
  const looks = (pasts.get(name) ?? []).filter(({ time }) => time > now - KEPT);
  looks.push({ time: now, rate: filter.estimatedFalsePositiveProbability, held: filter.approximateElementCount });
  // The filter that was shown last is dropped last.
  pasts.delete(name);
  pasts.set(name, looks);
  if (pasts.size > FILTERS) {
    pasts.delete(pasts.keys().next().value);
  }
}

function past(id, looks, { title, of, words, paint, target }) {
  const [first, last] = [looks[0], looks.at(-1)];
  const text = of(first) === of(last)
    ? `${words(of(last))} since ${timeOfDay(first.time)}.`
    : `From ${words(of(first))} at ${timeOfDay(first.time)} to ${words(of(last))}.`;
  const end = Math.max(last.time, first.time + SHORTEST);
  const lines = [{ label: title.toLowerCase(), paint, points: looks.map((look) => ({ x: look.time, y: of(look) })) }];
  if (target) {
    lines.push({
      label: `target ${rateWords(target)}`, paint: 'warn', kind: 'dashed',
      points: [{ x: first.time, y: target }, { x: end, y: target }] });
  }
  return plot(id, `${title} over time`, text, {
    lines,
    x: { min: first.time, max: end, words: (value) => timeOfDay(value) },
    y: { min: 0, suggestedMax: target && 1.2 * target, words },
  });
}

/** Two plots with one axis of values each. */
export function pastPlots(filter) {
  const looks = pasts.get(filter.name);
  const target = filter.falsePositiveProbability;
  return [
    past('past-rate', looks, {
      title: 'False-positive rate', paint: 'accent', target, of: ({ rate }) => rate, words: (value) => rateWords(value, target) }),
    past('past-elements', looks, {
      title: 'Elements', paint: 'text', of: ({ held }) => held ?? NaN, words: (value) => (Number.isNaN(value) ? 'saturated' : number(value)) }),
  ];
}
