// The false-positive rate of a filter in words and as plots.

import { bytes, counted, number, oneIn, percent, rateWords, significant } from './numbers.js';
import { plot } from './plot.js';
import { windowInWords } from './window.js';

const STEPS = 120;

/** The rate for n elements among m bits, with k bits per element. */
const rateAt = (n, { m, k }) => (-Math.expm1((-k * n) / m)) ** k;

export function promiseInWords(filter) {
  const { expectedInsertions, falsePositiveProbability: p, whenFull } = filter;
  const rate = rateWords(p);
  const capacity = counted(expectedInsertions, 'element');
  if (filter.window) {
    return `${windowInWords(filter)} The false-positive rate stays below ${rate} with up to ${capacity} in a window.`;
  }
  const found = `An element that was added is always found${filter.counting ? ' until it is removed' : ''}.`;
  const removes = filter.counting ? ' Remove only elements that were added. Removing others can also remove elements that are in the filter.' : '';
  if (filter.schemeWarning) {
    return `${found}${removes}`;
  }
  return `${found} ${{
    grow: `The false-positive rate stays below ${rate}: when the layers are full, the filter adds another.`,
    reject: `The false-positive rate stays below ${rate}: at ${capacity}, the filter refuses new ones.`,
    accept: `The false-positive rate stays at or below ${rate} up to ${capacity}. Beyond that, the filter still accepts elements and the rate rises.`,
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
  const full = `${rateWords(rateAt(n, its))} at ${counted(n, 'element')}, ${rateWords(rateAt(2 * n, its))} at ${number(2 * n)}.`;
  let now = '';
  if (held === null) {
    now = 'Saturated: nearly every test answers “maybe”. ';
  } else if (held !== undefined) {
    lines.push({ label: 'now', paint: 'text', kind: 'dot', points: [{ x: held, y: Math.max(rate, lowest) }] });
    now = `Now ${rateWords(rate, p)} at ${counted(held, 'element')}. `;
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
const SMALL_FILTER = 64;

/** The size of a filter for n and p, as the service's `NativeScheme` computes it. */
export function shapeOf(n, p) {
  const fewest = Math.ceil((-n * Math.log(p)) / LN2 ** 2);
  const numHashFunctions = Math.max(1, Math.round((fewest / n) * LN2));
  const bits = n < SMALL_FILTER ? fewest + Math.floor(numHashFunctions / 4) + 1 : fewest;
  const segments = Math.ceil(bits / SEGMENT_BITS);
  return { segments, bitSize: segments * 64 * Math.ceil(bits / segments / 64) };
}

/** The bits of a RedisBloom filter. It halves the requested rate, because it may grow by further layers. */
export const redisBloomBits = (n, p) => 64 * Math.ceil((-n * Math.log(p / 2)) / LN2 ** 2 / 64);

/** The step between marks on an axis of bytes. */
export const binaryStep = (highest) => 2 ** Math.ceil(Math.log2(highest / 6));

/** The size by rate, around the requested one. */
export function sizePlot(n, p) {
  const lowest = Math.min(1e-6, p / 10);
  const rates = Array.from({ length: STEPS + 1 }, (_, step) => 0.5 * (lowest / 0.5) ** (step / STEPS));
  const here = shapeOf(n, p);
  const tenth = shapeOf(n, p / 10);
  const text =
    `${counted(n, 'element')} at a rate of ${percent(p)} ${n === 1 ? 'takes' : 'take'} ${bytes(here.bitSize / 8)}. ` +
    `A rate of ${percent(p / 10)} needs ${bytes(tenth.bitSize / 8)}. Twice the capacity needs twice the size.`;
  return plot('sizes', 'Size against false-positive rate', text, {
    lines: [
      { label: 'size', paint: 'accent', points: rates.map((rate) => ({ x: rate, y: shapeOf(n, rate).bitSize / 8 })) },
      { label: 'your settings', paint: 'text', kind: 'dot', points: [{ x: p, y: here.bitSize / 8 }] },
    ],
    x: { type: 'logarithmic', reverse: true, words: (value) => oneIn(value), marks: decades(2) },
    y: { min: 0, words: (value) => bytes(value), step: binaryStep(shapeOf(n, lowest).bitSize / 8) },
  });
}
