// The current key, and the totals of the service.

import { call, look, PATHS } from './api.js';
import { html, nothing } from './lit.js';
import { bytes, counted, number, significant } from './numbers.js';
import { state, update } from './state.js';

/** Computes rates from two polls. */
export async function overview(signal) {
  const seen = await (signal ? look(PATHS.overview, { signal }) : call('GET', PATHS.overview));
  const { work, time } = state.overview ?? {};
  const now = performance.now();
  update({ overview: { ...seen, time: now, last: work && { ...work, seconds: (now - time) / 1000 } } });
}

/** Drops the totals of another key, because rates must not be computed from them. */
export const forgetOverview = () => update({ overview: state.overview && { key: state.overview.key } });

const total = (label, value) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function figures({ filters, redis, work, last }) {
  // A restarted service counts from 0.
  const rate = (name) => (last && work[name] >= last[name]
    ? significant((work[name] - last[name]) / last.seconds, 2) : '…');
  return [
    total('Filters', number(filters)),
    redis && total('Redis', [
      redis.usedBytes === null ? 'unknown' : `${bytes(redis.usedBytes)} used`,
      redis.leftBytes === null ? '' : `, ${bytes(redis.leftBytes)} left`]),
    work && total('Requests/s', rate('requests')),
    work && total('Added/s', rate('elementsAdded')),
    work && total('Tested/s', rate('elementsTested')),
  ].map((each) => each ?? nothing);
}

export const totals = () => html`
  <dl id="totals" class="totals" aria-label="Totals of the service; rates of this instance">
    ${state.overview?.filters === undefined ? '' : figures(state.overview)}
  </dl>`;

/** The current key and its limits. */
export function who() {
  if (!state.overview) {
    return '';
  }
  const { id, role, prefixes, maxFilters, maxBytes } = state.overview.key;
  const limits = [
    prefixes.length > 0 && `names that begin with ${prefixes.join(' or ')}`,
    maxFilters > 0 && `at most ${counted(maxFilters, 'filter')}`,
    maxBytes > 0 && `at most ${bytes(maxBytes)}`,
  ].filter(Boolean);
  return [id === 'local' ? 'No API key needed on this machine' : `Key ${id}, role ${role}`, ...limits].join('; ');
}
