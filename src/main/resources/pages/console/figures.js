// The numbers of one filter.

import { html } from './lit.js';
import { bytes, countdown, moment, number, oneIn, percent, significant } from './numbers.js';
import { figure } from './parts.js';
import { sliceFigures } from './window.js';

/** The share of bits that are set once the filter holds its expected insertions. */
function fillAtExpected(filter) {
  const { numHashFunctions: k, expectedInsertions: n } = filter;
  const m = filter.counters ?? filter.bitSize;
  return -Math.expm1((-k * n) / m);
}

/** How much of its bits are set; of one that grows or forgets, that says nothing. */
export function fillBar(filter) {
  const isShown = !filter.layers && !filter.window;
  const atExpected = fillAtExpected(filter);
  const text =
    `${percent(filter.fillRatio)} of the ${filter.counting ? 'counters are above 0' : 'bits are set'}; ` +
    `${percent(atExpected)} (the mark) are when it holds ${number(filter.expectedInsertions)} elements.`;
  return html`
    <div id="fill" class="fill" ?hidden=${!isShown}>
      <svg id="bar" role="img" aria-label=${text} viewBox="0 0 1000 28" preserveAspectRatio="none">
        <rect class="track" width="1000" height="28"></rect>
        <rect class=${filter.fillRatio > atExpected * 1.005 ? 'value over' : 'value'} width=${1000 * filter.fillRatio} height="28"></rect>
        <rect class="mark" x=${1000 * atExpected - 2} width="4" height="28"></rect>
      </svg>
      <p id="bar-text" class="hint">${text}</p>
    </div>`;
}

function keyNote(filter) {
  if (filter.adopted) {
    return 'adopted: another library uses it too';
  }
  return filter.segments > 1 ? 'of the first segment' : '';
}

function insertionsFigure(filter) {
  if (filter.counting) {
    return figure('Additions less removals', number(filter.insertions), `${number(filter.bitsSet)} counters are above 0, exactly`);
  }
  return figure(
    filter.adopted && filter.hashScheme !== 'rueidisprob' ? 'Adds made here that changed it' : 'Adds that changed it',
    number(filter.insertions), `${number(filter.bitsSet)} bits are set, exactly`);
}

function counterFigure(filter) {
  return figure(
    'Counters', number(filter.counters),
    filter.saturatedCounters > 0 ? `${number(filter.saturatedCounters)} are full, and stay so` : 'none of them is full');
}

function layerFigure(layer, index) {
  return figure(
    `Layer ${number(index + 1)}`, `${number(layer.insertions)} of ${number(layer.expectedInsertions)} elements`,
    `${bytes(layer.sizeBytes)}, ${percent(layer.bitsSet / layer.bitSize)} of its bits are set`);
}

export function figures(filter) {
  const atExpected = fillAtExpected(filter) ** filter.numHashFunctions;
  const rate = filter.estimatedFalsePositiveProbability;
  const policy = filter.whenFull === 'reject' ? 'refuses new elements' : 'takes more, at a rising rate';
  const bound = filter.layers ? 'as promised, in however many layers' : 'as promised, while no more than these come in a window';
  const promised = filter.layers || filter.window
    ? figure('Strangers let through at most', oneIn(filter.falsePositiveProbability), bound)
    : figure(
      'Strangers let through when full', oneIn(atExpected),
      `promised: ${oneIn(filter.falsePositiveProbability)}; at ${number(filter.expectedInsertions)} it ${policy}`);
  const several = filter.segments > 1 ? ` in ${number(filter.segments)} segments` : '';
  return [
    figure('Strangers let through now', oneIn(rate), rate > 0
      ? 'answered “maybe” though they were never added'
      : 'the filter is empty: every answer is “certainly not”'),
    promised,
    figure(
      'Memory in Redis', bytes(filter.sizeBytes),
      `${number(filter.bitSize)} bits${several}, ${significant(filter.bitSize / filter.expectedInsertions)} an element`),
    insertionsFigure(filter),
    ...(filter.counting ? [counterFigure(filter)] : []),
    figure(
      filter.counting ? 'Counters an element raises' : 'Bits an element sets', number(filter.numHashFunctions),
      [filter.hashScheme, filter.elementCodec].filter(Boolean).join(', ')),
    figure('Content number', number(filter.generation), 'grows when the content is replaced'),
    figure('Created', moment(filter.createdAt)),
    figure('Vanishes', filter.expiresAt ? moment(filter.expiresAt) : 'never',
      filter.expiresAt ? countdown(filter.expiresAt) : ''),
    figure('Redis key', filter.redisKey, keyNote(filter)),
    ...(filter.layers ?? []).map(layerFigure),
    ...(filter.window ? sliceFigures(filter) : []),
  ];
}
