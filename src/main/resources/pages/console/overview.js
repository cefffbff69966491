// Who looks, and how the service is as a whole.

import { call, look, PATHS } from './api.js';
import { bytes, number, significant } from './numbers.js';
import { $, figure, fill } from './page.js';

/** What was seen before: rates are the difference of two looks. */
let before = null;

export async function overview(signal) {
  const seen = await (signal ? look(PATHS.overview, { signal }) : call('GET', PATHS.overview));
  const time = performance.now();
  showKey(seen.key);
  fill($('totals'), ...totals(seen, before && { ...before, seconds: (time - before.time) / 1000 }));
  before = { ...seen.work, time };
}

/** Of another key, or of another service at the same place, nothing is compared. */
export function forgetOverview() {
  before = null;
  fill($('totals'));
}

function totals({ filters, redis, work }, last) {
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

/** The page offers what the key may do, and tells why it does not offer the rest. */
function showKey({ id, role, prefixes, maxFilters, maxBytes }) {
  document.body.dataset.role = role;
  const limits = [
    prefixes.length > 0 && `names that begin with ${prefixes.join(' or ')}`,
    maxFilters > 0 && `at most ${number(maxFilters)} filters`,
    maxBytes > 0 && `at most ${bytes(maxBytes)}`,
  ].filter(Boolean);
  const text = [id === 'local' ? 'No key is needed on this machine' : `Key ${id}, ${role}`, ...limits].join('; ');
  if ($('who').textContent !== text) {
    $('who').textContent = text;
  }
}
