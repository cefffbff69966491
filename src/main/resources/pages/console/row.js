// A filter as a row: what matters of it at a glance.

import { html, nothing } from './lit.js';
import { bytes, fromNow, number, oneIn, percent } from './numbers.js';
import { addressOf } from './state.js';

const SOON = 24 * 3600 * 1000;

/** A rate is above the promised one when it is so by more than what rounding may be. */
const TOLERANCE = 1.1;

export const row = (filter, isCurrent) => html`<li>
  <a href=${addressOf(filter.name)} data-name=${filter.name} aria-current=${isCurrent ? 'page' : nothing}>
    <span class="name">${filter.name}</span>
    <span class="badges">${badges(filter).map(([kind, text]) => html`<span class="badge ${kind}">${text}</span>`)}</span>
    ${gauge(filter)}
    <span class="about">${about(filter)}</span>
  </a>
</li>`;

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
  return all.length > 0 ? all : [['ready', 'ready']];
}

/** How urgently an operator must look at it. */
export const trouble = (filter) => badges(filter).reduce(
  (sum, [kind]) => sum + ({ damaged: 10, creating: 1 }[kind] ?? 0), filter.state === 'damaged' ? 100 : 0);

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
    return nothing;
  }
  const share = figures.approximateElementCount === null
    ? 1 : Math.min(1, figures.approximateElementCount / figures.expectedInsertions);
  return html`
    <svg class="gauge" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="1000" height="10"></rect>
      <rect class=${isFull(filter) ? 'value over' : 'value'} width=${Math.round(1000 * share)} height="10"></rect>
    </svg>`;
}

function about(filter) {
  if (filter.state === 'damaged') {
    return html`<span class="held">Part of it is missing in Redis</span>`;
  }
  const deadline = filter.expiresAt ? vanishesSoon(filter) ? '' : `vanishes ${fromNow(filter.expiresAt)}` : 'stays';
  return html`<span class="held">${held(filter)}</span>
    <span class="rate">${rate(filter)}</span>
    <span class="memory">${bytes(filter.sizeBytes)}</span>
    <span class="deadline">${deadline}</span>`;
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
