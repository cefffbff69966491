// The false-positive rate of a filter in words and as plots.

import { bytes, number, oneIn, percent, rateWords, significant } from './numbers.js';
import { plot } from './plot.js';
import { windowInWords } from './window.js';

const STEPS = 120;

/** The rate for n elements among m bits, with k bits per element. */
const rateAt = (n, { m, k }) => (-Math.expm1((-k * n) / m)) ** k;

export function promiseInWords(filter) {
  const { expectedInsertions: n, falsePositiveProbability: p, whenFull } = filter;
  const rate = rateWords(p);
  if (filter.window) {
    return `${windowInWords(filter)} The false-positive rate stays below ${rate} while at most ${number(n)} elements arrive within a window.`;
  }
  const found = `An element that was added is always found${filter.counting ? ' until it is removed' : ''}.`;
  const removes = filter.counting ? ' Remove only elements that were added. Removing others can also remove elements that are in the filter.' : '';
  if (filter.schemeWarning) {
    return `${found}${removes}`;
  }
  return `${found} ${{
    grow: `The false-positive rate stays below ${rate}: when the layers are full, the filter adds another.`,
    reject: `The false-positive rate stays below ${rate}: at ${number(n)} elements, the filter refuses new ones.`,
    accept: `The false-positive rate stays at or below ${rate} up to ${number(n)} elements. Beyond that, the filter still accepts elements and the rate rises.`,
  }[whenFull]}${removes}`;
}

/**
 * The rate by elements on a logarithmic axis, with marks for target, capacity and now.
 *
 * @param its `m` bits, its `k` bits per element, its `capacity` and `target`, and the elements
 * `held` with the `rate` now; undefined for a new filter
 */
export function ratePlot(id, its) {
  const { capacity: n, target: p, held, rate } = its;
  const end = Math.max(2 * n, 1.25 * (held ?? 0));
  const lowest = 10 ** (Math.floor(Math.log10(p)) - 2);
  const points = Array.from({ length: STEPS + 1 }, (_, step) => (end * step) / STEPS)
    .map((x) => ({ x, y: rateAt(x, its) })).filter(({ y }) => y >= lowest);
  const lines = [
    { label: 'false-positive rate', paint: 'accent', points },
    { label: `target ${rateWords(p)}`, paint: 'warn', kind: 'dashed', points: [{ x: 0, y: p }, { x: end, y: p }] },
    { label: `capacity ${significant(n)}`, paint: 'soft', kind: 'dashed', points: [{ x: n, y: lowest }, { x: n, y: 1 }] },
  ];
  const full = `${rateWords(rateAt(n, its))} at ${number(n)} elements, ${rateWords(rateAt(2 * n, its))} at ${number(2 * n)}.`;
  let now = '';
  if (held === null) {
    now = 'Saturated: nearly every test answers “maybe”. ';
  } else if (held !== undefined) {
    lines.push({ label: 'now', paint: 'text', kind: 'dot', points: [{ x: held, y: Math.max(rate, lowest) }] });
    now = `Now ${rateWords(rate, p)} at ${number(held)} elements. `;
  }
  return plot(id, 'False-positive rate against elements', `${now}${full}`, {
    lines,
    x: { min: 0, max: end, words: (value) => significant(value) },
    y: { type: 'logarithmic', min: lowest, max: 1, words: (value) => rateWords(value), marks: decades(1) },
  });
}

/** Labels for powers of ten, or every second one. */
const decades = (every) => (value) => {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-9 && Math.round(power) % every === 0 ? rateWords(value) : null;
};

/* ---- For a new filter ---- */

const LN2 = Math.LN2;
const SEGMENT_BITS = 2 ** 24;

/** The size of a filter: the fewest bits for n and p, in segments of equal length. */
export function shapeOf(n, p) {
  const bits = Math.ceil((-n * Math.log(p)) / LN2 ** 2);
  const segments = Math.ceil(bits / SEGMENT_BITS);
  const bitSize = segments * 64 * Math.ceil(bits / segments / 64);
  return { segments, bitSize, numHashFunctions: Math.max(1, Math.round((bits / n) * LN2)) };
}

/** RedisBloom halves the requested rate, because a filter may grow by further layers. */
export function redisBloomShape(n, p) {
  const bitsAnElement = -Math.log(p / 2) / LN2 ** 2;
  return { bitSize: 64 * Math.ceil((n * bitsAnElement) / 64), numHashFunctions: Math.ceil(LN2 * bitsAnElement) };
}

/** The step between marks on an axis of bytes. */
export const binaryStep = (highest) => 2 ** Math.ceil(Math.log2(highest / 6));

/** The memory by rate, around the requested one. */
export function sizePlot(n, p) {
  const lowest = Math.min(1e-6, p / 10);
  const rates = Array.from({ length: STEPS + 1 }, (_, step) => 0.5 * (lowest / 0.5) ** (step / STEPS));
  const here = shapeOf(n, p);
  const tenth = shapeOf(n, p / 10);
  const text =
    `${number(n)} elements at a rate of ${percent(p)} take ${bytes(here.bitSize / 8)}. ` +
    `A rate of ${percent(p / 10)} needs ${bytes(tenth.bitSize / 8)}. Twice the capacity needs twice the memory.`;
  return plot('sizes', 'Memory against false-positive rate', text, {
    lines: [
      { label: 'memory', paint: 'accent', points: rates.map((rate) => ({ x: rate, y: shapeOf(n, rate).bitSize / 8 })) },
      { label: 'your settings', paint: 'text', kind: 'dot', points: [{ x: p, y: here.bitSize / 8 }] },
    ],
    x: { type: 'logarithmic', reverse: true, words: (value) => oneIn(value), marks: decades(2) },
    y: { min: 0, words: (value) => bytes(value), step: binaryStep(shapeOf(n, lowest).bitSize / 8) },
  });
}
