// Who looks, and how the service is as a whole.

import { call, look, PATHS } from './api.js';
import { html } from './lit.js';
import { bytes, number, significant } from './numbers.js';
import { figure } from './parts.js';
import { state, update } from './state.js';

/** Rates are the difference of two looks. */
export async function overview(signal) {
  const seen = await (signal ? look(PATHS.overview, { signal }) : call('GET', PATHS.overview));
  const { work, time } = state.overview ?? {};
  const now = performance.now();
  update({ overview: { ...seen, time: now, last: work && { ...work, seconds: (now - time) / 1000 } } });
}

/** Of another key, or of another service at the same place, nothing is compared. */
export const forgetOverview = () => update({ overview: state.overview && { key: state.overview.key } });

function figures({ filters, redis, work, last }) {
  const all = [figure('Filters', number(filters))];
  if (redis) {
    all.push(figure(
      'Memory of Redis', redis.usedBytes === null ? 'not known' : bytes(redis.usedBytes),
      redis.leftBytes === null ? '' : `${bytes(redis.leftBytes)} left`));
  }
  if (work) {
    // A service that was started again counts from 0.
    const rate = (name) => (last && work[name] >= last[name]
      ? significant((work[name] - last[name]) / last.seconds, 2) : '…');
    all.push(
      figure('Requests a second', rate('requests'), 'of this instance, this page’s own among them'),
      figure('Elements a second', `${rate('elementsAdded')} added`, `${rate('elementsTested')} tested`));
  }
  return all;
}

export const totals = () => html`
  <dl id="totals" class="figures card totals" aria-label="The service as a whole">
    ${state.overview?.filters === undefined ? '' : figures(state.overview)}
  </dl>`;

/** Who the key is, and what it is limited to. */
export function who() {
  if (!state.overview) {
    return '';
  }
  const { id, role, prefixes, maxFilters, maxBytes } = state.overview.key;
  const limits = [
    prefixes.length > 0 && `names that begin with ${prefixes.join(' or ')}`,
    maxFilters > 0 && `at most ${number(maxFilters)} filters`,
    maxBytes > 0 && `at most ${bytes(maxBytes)}`,
  ].filter(Boolean);
  return [id === 'local' ? 'No key is needed on this machine' : `Key ${id}, ${role}`, ...limits].join('; ');
}
