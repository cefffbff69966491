// A filter as a row: what matters of it at a glance.

import { bytes, fromNow, number, oneIn, percent } from './numbers.js';
import { drawing, element, fill } from './page.js';
import { addressOf } from './state.js';

const SOON = 24 * 3600 * 1000;

/** A rate is above the promised one when it is so by more than what rounding may be. */
const TOLERANCE = 1.1;

/** Fills a row, a new one or the one there is. */
export function row(filter, link = element('a', '')) {
  if (!link.parentElement) {
    link.href = addressOf(filter.name);
    link.dataset.name = filter.name;
    element('li', '', link);
  }
  fill(
    link,
    element('span', 'name', filter.name),
    element('span', 'badges', ...badges(filter)),
    ...gauge(filter),
    element('span', 'about', ...about(filter)));
  return link.parentElement;
}

const vanishesSoon = ({ expiresAt }) => expiresAt && new Date(expiresAt) - Date.now() < SOON;

/** What an operator must know; that a filter is ready only if there is nothing else. */
function badges(filter) {
  const { figures } = filter;
  const all = [];
  if (filter.state !== 'ready') {
    all.push([filter.state, filter.state]);
  }
  if (figures?.source === 'failed') {
    all.push(['damaged', 'source failed']);
  }
  if (isFull(filter)) {
    all.push(['damaged', figures.whenFull === 'reject' ? 'full, refuses' : 'full']);
  }
  if (isAbovePromise(filter)) {
    all.push(['damaged', 'rate above promise']);
  }
  if (figures?.source === 'running') {
    all.push(['creating', `source running${progress(figures)}`]);
  } else if (figures?.rebuilding) {
    all.push(['creating', `rebuild${progress(figures)}`]);
  }
  if (vanishesSoon(filter)) {
    all.push(['creating', `vanishes ${fromNow(filter.expiresAt)}`]);
  }
  return (all.length > 0 ? all : [['ready', 'ready']]).map(([kind, text]) => element('span', `badge ${kind}`, text));
}

/** How far a rebuild is; a source need not have opened one yet. */
const progress = ({ rebuildProgress: share }) => (share === null ? '' : ` ${percent(Math.min(1, share))}`);

function isFull({ figures, expectedInsertions }) {
  return figures != null && figures.fillRatio !== null && figures.whenFull !== 'grow' && !figures.window
    && (figures.approximateElementCount === null || figures.approximateElementCount >= expectedInsertions
      || (figures.whenFull === 'reject' && figures.insertions >= expectedInsertions));
}

function isAbovePromise({ figures, falsePositiveProbability }) {
  return figures != null && figures.estimatedFalsePositiveProbability > TOLERANCE * falsePositiveProbability;
}

/** How much of what it was made for a filter holds; its colour only repeats what badges say. */
function gauge(filter) {
  const { figures } = filter;
  if (!figures || figures.fillRatio === null) {
    return [];
  }
  const share = figures.approximateElementCount === null
    ? 1 : Math.min(1, figures.approximateElementCount / figures.expectedInsertions);
  return [drawing(
    'svg', { class: 'gauge', viewBox: '0 0 1000 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawing('rect', { class: 'track', width: 1000, height: 10 }),
    drawing('rect', { class: isFull(filter) ? 'value over' : 'value', width: Math.round(1000 * share), height: 10 }))];
}

function about(filter) {
  if (filter.state === 'damaged') {
    return [element('span', 'held', 'Part of it is missing in Redis')];
  }
  return [
    element('span', 'held', held(filter)),
    element('span', 'rate', rate(filter)),
    element('span', 'memory', bytes(filter.sizeBytes)),
    element('span', 'deadline', filter.expiresAt
      ? vanishesSoon(filter) ? '' : `vanishes ${fromNow(filter.expiresAt)}`
      : 'stays'),
  ];
}

function held({ figures, expectedInsertions }) {
  if (!figures || figures.fillRatio === null) {
    return `Adopted, for ${number(expectedInsertions)} elements`;
  }
  const { approximateElementCount: count, expectedInsertions: n } = figures;
  return count === null
    ? `Saturated, made for ${number(n)} elements`
    : `${percent(count / n)} of ${number(n)} elements`;
}

function rate({ figures, falsePositiveProbability }) {
  const promised = `promised ${oneIn(falsePositiveProbability)}`;
  const now = figures?.estimatedFalsePositiveProbability;
  if (now == null) {
    return promised;
  }
  return `${now > 0 ? `lets through ${oneIn(now)}` : 'lets nobody through'}, ${promised}`;
}
