// The size of a growing filter before it is created.

import { bytes, counted, number, oneIn, significant } from './numbers.js';
import { plot } from './plot.js';
import { binaryStep, shapeOf } from './promise.js';

/** The same limits as in the service. */
export const MOST_FACTOR = 10;
export const MOST_BYTES = 2 ** 33;
const MOST_LAYERS = 32;
const MOST_ELEMENTS = 1e11;
const RATIO = 0.5;

const bytesOf = (n, p) => {
  const { segments, bitSize } = shapeOf(n, p);
  return segments * Math.ceil(bitSize / segments / 8);
};

/** The layers to which a filter can grow, each with its elements and bytes and their sums so far. */
export function layersOf(n, p, factor, mostBytes) {
  const layers = [];
  let [elements, rate, allElements, allBytes] = [n, RATIO * p, 0, 0];
  while (layers.length < MOST_LAYERS && elements <= MOST_ELEMENTS) {
    const size = bytesOf(elements, rate);
    if (size > mostBytes - allBytes) {
      break;
    }
    allElements += elements;
    allBytes += size;
    layers.push({ elements, bytes: size, allElements, allBytes });
    elements *= factor;
    rate *= RATIO;
  }
  return layers;
}

/** The most layers drawn without a size limit; more would hide the first ones. */
const DRAWN = 6;

/** The size by elements, layer by layer, compared with a filter of fixed size. */
export function growthPlot(n, p, factor, mostBytes) {
  const layers = layersOf(n, p, factor, mostBytes ?? MOST_BYTES);
  const drawn = mostBytes ? layers : layers.slice(0, DRAWN);
  const { allElements: end, allBytes: most } = drawn.at(-1);
  const steps = drawn.flatMap(({ allElements, allBytes, elements }) => [
    { x: allElements - elements, y: allBytes }, { x: allElements, y: allBytes },
  ]);
  return plot('sizes', 'Size against elements', words(n, p, layers, mostBytes), {
    lines: [
      { label: 'growing', paint: 'accent', points: steps },
      { label: 'fixed size', paint: 'soft', kind: 'dashed', points: [
        { x: 0, y: 0 }, ...drawn.map(({ allElements: x }) => ({ x, y: bytesOf(x, p) }))] },
      { label: 'new layer', paint: 'text', kind: 'dot', points: drawn.slice(0, -1).map(
        ({ allElements, allBytes }) => ({ x: allElements, y: allBytes })) },
    ],
    x: { min: 0, max: end, words: (value) => significant(value) },
    y: { min: 0, words: (value) => bytes(value), step: binaryStep(most) },
  });
}

function words(n, p, layers, mostBytes) {
  const later = layers[Math.min(3, layers.length - 1)];
  const last = layers.at(-1);
  const begins = `It starts with ${bytes(layers[0].bytes)} for ${counted(n, 'element')}.`;
  const price = layers.length === 1
    ? '' : ` With ${number(later.allElements)} elements it has ${number(layers.indexOf(later) + 1)} layers and takes ${bytes(later.allBytes)}; ` +
      `a fixed-size filter for ${number(later.allElements)} takes ${bytes(bytesOf(later.allElements, p))}.`;
  const end = mostBytes
    ? ` It is full at ${counted(last.allElements, 'element')} in ${counted(layers.length, 'layer')}, and then refuses new ones.`
    : ' It is full when another layer would exceed the limit of the service, 1 GiB by default.';
  return `${begins}${price} The false-positive rate stays below ${oneIn(p)}.${end}`;
}

/** A size limit in words. */
export function mostInWords(most, text) {
  if (most === undefined) {
    return 'The default of the service, usually 1 GiB';
  }
  return text === bytes(most) ? '' : `${number(most)} bytes, ${bytes(most)}`;
}
