// What a filter promises, in words and as the curve of its rate against the elements it holds.

import { nothing } from './lit.js';
import { bytes, number, oneIn, percent, significant } from './numbers.js';
import { plot } from './plot.js';
import { windowInWords } from './window.js';

const STEPS = 80;

/** The rate of n elements among m bits of which each sets k. */
const rateAt = (n, { counters, bitSize, numHashFunctions: k }) => (-Math.expm1((-k * n) / (counters ?? bitSize))) ** k;

/** One in a hundred, as people say it. */
const about = (rate) => (rate < 1e-12 ? oneIn(rate) : `about ${oneIn(rate, 2)}`);

export function promiseInWords(filter) {
  const { expectedInsertions: n, falsePositiveProbability: p, whenFull } = filter;
  if (filter.window) {
    return `${windowInWords(filter)} Made for ${number(n)} elements in a window: of strangers, which it does not remember, ` +
      `${oneIn(p)} is let through by mistake then.`;
  }
  const always = `Made for ${number(n)} elements. Whatever was added is always found. Of strangers, which were never added, ` +
    `${oneIn(p)} is let through by mistake`;
  const removes = filter.counting ? ' Elements can be removed; remove only what was added, as a stranger takes others with it.' : '';
  return `${afterwards(always)[whenFull]}${removes}`;
}

function afterwards(always) {
  return {
    grow: `${always}, however many there are: when it is full, it opens a further layer.`,
    reject: `${always} once the filter is full. It takes no more elements then.`,
    accept: `${always} once the filter is full. It goes on taking elements then, and lets more strangers through.`,
  };
}

function curve(end, filter) {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const n = (end * step) / STEPS;
    return { x: n, y: rateAt(n, filter) };
  });
}

/** The curve, with a dot for now and a line for what is promised; none for a rate that stays. */
export function promisePlot(filter) {
  if (filter.layers || filter.window) {
    return nothing;
  }
  const { expectedInsertions: n, falsePositiveProbability: p, approximateElementCount: held } = filter;
  const end = Math.max(2 * n, 1.25 * (held ?? 0));
  const now = filter.estimatedFalsePositiveProbability;
  const lines = [
    { label: 'strangers let through', paint: 'accent', points: curve(end, filter) },
    { label: 'promised up to its size', paint: 'warn', kind: 'dashed', points: [{ x: 0, y: p }, { x: n, y: p }, { x: n, y: 0 }] },
  ];
  if (held !== null) {
    lines.push({ label: 'now', paint: 'text', kind: 'dot', points: [{ x: held, y: now }] });
  }
  const text = held === null
    ? `It is saturated: nearly every stranger is let through. It was made for ${number(n)} elements.`
    : `Now, with about ${number(held)} elements, ${about(now)} of the strangers is let through. With ` +
      `${number(n)} it is ${about(rateAt(n, filter))} (promised: ${oneIn(p)}), with ${number(2 * n)} ${about(rateAt(2 * n, filter))}.`;
  return plot('curve', text, {
    lines,
    x: { title: 'elements it holds', min: 0, max: end, words: (value) => significant(value) },
    y: { title: 'strangers let through', min: 0, words: (value) => percent(value) },
  });
}

/* ---- The same before there is a filter ---- */

const LN2 = Math.LN2;
const SEGMENT_BITS = 2 ** 24;

/** What a filter takes: bits of the least number for n and p, cut into segments of equal length. */
export function shapeOf(n, p) {
  const bits = Math.ceil((-n * Math.log(p)) / LN2 ** 2);
  const segments = Math.ceil(bits / SEGMENT_BITS);
  const bitSize = segments * 64 * Math.ceil(bits / segments / 64);
  return { segments, bitSize, numHashFunctions: Math.max(1, Math.round((bits / n) * LN2)) };
}

/** RedisBloom halves the rate that it is asked for, as a filter of it may grow by further layers. */
export function redisBloomShape(n, p) {
  const bitsAnElement = -Math.log(p / 2) / LN2 ** 2;
  return { bitSize: 64 * Math.ceil((n * bitsAnElement) / 64), numHashFunctions: Math.ceil(LN2 * bitsAnElement) };
}

/** Between the marks of an axis for bytes. */
export const binaryStep = (highest) => 2 ** Math.ceil(Math.log2(highest / 6));

/** The memory and the bits of an element for every rate around the one that is asked for. */
export function sizePlot(n, p) {
  const lowest = Math.min(1e-6, p / 10);
  const rates = Array.from({ length: STEPS + 1 }, (_, step) => 0.5 * (lowest / 0.5) ** (step / STEPS));
  const line = (shape) => rates.map((rate) => ({ x: rate, y: shape(n, rate).bitSize / 8 }));
  const here = shapeOf(n, p);
  const tenth = shapeOf(n, p / 10);
  const text =
    `${number(n)} elements at ${oneIn(p)} take ${bytes(here.bitSize / 8)}, and each sets ${number(here.numHashFunctions)} bits. ` +
    `Ten times fewer mistakes take ${bytes(tenth.bitSize / 8)}. Twice as many elements take twice the memory.`;
  return plot('sizes', text, {
    lines: [
      { label: 'memory', paint: 'accent', points: line(shapeOf) },
      { label: 'memory in RedisBloom', paint: 'soft', kind: 'dashed', points: line(redisBloomShape) },
      { label: 'bits an element sets', paint: 'warn', axis: 'y2', isStepped: true,
        points: rates.map((rate) => ({ x: rate, y: shapeOf(n, rate).numHashFunctions })) },
      { label: 'yours', paint: 'text', kind: 'dot', points: [{ x: p, y: here.bitSize / 8 }] },
    ],
    x: { title: 'strangers let through', type: 'logarithmic', reverse: true, words: (value) => oneIn(value) },
    y: { title: 'memory', min: 0, words: (value) => bytes(value), step: binaryStep(redisBloomShape(n, lowest).bitSize / 8) },
    y2: { title: 'bits an element sets', min: 0, words: (value) => number(value) },
  });
}
