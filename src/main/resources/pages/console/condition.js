// The condition of a filter, from its row in the list or from its description.

import { html } from './lit.js';
import { fromNow, percent } from './numbers.js';

const SOON = 24 * 3600 * 1000;

/** Rounding may raise a rate to this multiple of its target. */
const TOLERANCE = 1.1;

const sourceState = (source) => source && (source.runningSince ? 'running' : source.lastRun?.error ? 'failed' : 'ok');

/** The capacity, over all layers of a growing filter. */
const capacityOf = ({ layers, expectedInsertions }) => (layers
  ? layers.reduce((sum, layer) => sum + layer.expectedInsertions, 0) : expectedInsertions);

/**
 * The same values from both sources: `capacity`, elements `held` (null if saturated), `rate`,
 * `target`. They are null if unknown, for example for adopted or damaged filters in the list.
 */
export function summaryOf(filter) {
  const { figures, rebuild } = filter;
  const its = figures ?? filter;
  return {
    capacity: figures ? figures.expectedInsertions : capacityOf(filter),
    held: its.approximateElementCount,
    insertions: its.insertions,
    rate: its.estimatedFalsePositiveProbability ?? null,
    target: filter.falsePositiveProbability,
    isKnown: its.fillRatio != null,
    whenFull: its.whenFull,
    window: its.window,
    source: figures ? figures.source : sourceState(filter.source),
    rebuilding: figures ? figures.rebuilding : Boolean(rebuild),
    progress: figures ? figures.rebuildProgress : rebuild && rebuild.elementsReceived / rebuild.expectedInsertions,
    expiresAt: filter.expiresAt,
    isIdle: Boolean(filter.idleSeconds),
    kind: kindOf(filter, its),
  };
}

function kindOf(filter, its) {
  if (its.counting) {
    return 'counting';
  }
  if (its.whenFull === 'grow') {
    return 'growing';
  }
  if (its.window) {
    return 'window';
  }
  return filter.hashScheme?.startsWith('bloomgate-') ? 'fixed size' : 'other library';
}

/** Use postpones the expiry of a filter that expires when idle. */
const expiresSoon = ({ expiresAt, isIdle }) => expiresAt && !isIdle && new Date(expiresAt) - Date.now() < SOON;

/** A window remembers each element slightly longer, so a full one holds up to an eighth more. */
const MORE_IN_WINDOW = 1.125;

/**
 * Returns whether it refuses elements because it is full, or has accepted too many; null if
 * neither. Growing filters and windows by insertions always make room.
 */
export function limit({ isKnown, held, capacity, insertions, whenFull, window }) {
  if (!isKnown || whenFull === 'grow' || window?.insertions) {
    return null;
  }
  if (whenFull === 'reject') {
    return held === null || held >= capacity || insertions >= capacity ? 'full' : null;
  }
  return held === null || held > (window ? MORE_IN_WINDOW : 1) * capacity ? 'over capacity' : null;
}

export const isAboveTarget = ({ rate, target }) => rate > TOLERANCE * target;

/** The used share of its capacity, at most 1. */
export const share = ({ held, capacity }) => (held === null ? 1 : Math.min(1, held / capacity));

/** A bar for a share, which is also in the text next to it. */
export const bar = (part, isOver) => html`
  <svg class="gauge" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="1000" height="10"></rect>
    <rect class=${isOver ? 'value over' : 'value'} width=${Math.round(1000 * Math.min(1, part))} height="10"></rect>
  </svg>`;

/** Empty while a source has not opened its rebuild. */
const inPercent = (progress) => (progress == null ? '' : `, ${percent(Math.min(1, progress))}`);

/**
 * The problems and events that operators must know, most urgent first, each as a class and a text.
 * If there are none, it is ready.
 */
export function badges(filter) {
  const its = summaryOf(filter);
  const isReady = filter.state === 'ready';
  const all = [
    !isReady && [filter.state, filter.state],
    its.source === 'failed' && ['damaged', 'source failed'],
    isReady && limit(its) && ['damaged', limit(its)],
    isReady && isAboveTarget(its) && ['damaged', 'above target'],
    its.source === 'running' && ['creating', `source running${inPercent(its.progress)}`],
    its.source !== 'running' && its.rebuilding && ['creating', `rebuilding${inPercent(its.progress)}`],
    expiresSoon(its) && ['creating', `expires ${fromNow(its.expiresAt)}`],
  ].filter(Boolean);
  return all.length > 0 ? all : [['ready', 'ready']];
}

/** The urgency of its problems. */
export const trouble = (filter) => badges(filter).reduce(
  (sum, [kind]) => sum + ({ damaged: 10, creating: 1 }[kind] ?? 0), filter.state === 'damaged' ? 100 : 0);
