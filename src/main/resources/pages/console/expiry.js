// When a filter expires: at a time, or some time after its last use.

import { fromNow } from './numbers.js';
import { readSeconds } from './reading.js';
import { typed } from './state.js';
import { span } from './window.js';

/** The service postpones an expiry at most once a minute. */
const SHORTEST = 120;

const SINCE = [['now', 'now'], ['add', 'the last add'], ['use', 'the last add or test']];

/** What the time until the expiry is counted from. */
export const since = (id) => ({ id, label: 'Counted from', options: SINCE });

const lastUse = (isByTests) => `the last add${isByTests ? ' or test' : ''}`;

/** Reads the time until an expiry, from now or from the last use. */
export function readExpiry(text, unit, from) {
  const { value, problem } = readSeconds(text, unit);
  return problem || from === 'now' || value >= SHORTEST
    ? { value, problem } : { problem: 'A filter can expire when it has not been used for at least 2 minutes.' };
}

/** When it expires, in words that begin with this verb. */
export const inWords = (verb, seconds, from) =>
  (from === 'now' ? `${verb} ${fromNow(Date.now() + 1000 * seconds)}` : `${verb} ${span(seconds)} after ${lastUse(from === 'use')}`);

/** The part of a request that sets an expiry. */
export const expiryOf = (seconds, from) =>
  (from === 'now' ? { ttlSeconds: seconds } : { idleSeconds: seconds, ...(from === 'use' && { extendedByTests: true }) });

/** The fields of a dialog that sets an expiry. A filter that shares its bits with a library cannot expire when idle. */
export function expiryFields(verb, isShared) {
  const from = () => (isShared ? 'now' : typed['ask-since']);
  const ttl = {
    id: 'ttl', label: `${verb} after`, value: '1', unit: { id: 'unit', label: 'Time unit', value: '86400' },
    read: (text, unit) => readExpiry(text, unit, from()), words: (seconds) => inWords(verb, seconds, from()),
  };
  return isShared ? [ttl] : [ttl, { ...since('since'), value: 'now' }];
}

/** After which use a filter expires; for a template, the filters like it. */
export const idleInWords = ({ idleSeconds, extendedByTests, template }) =>
  `${template ? 'filters like it ' : ''}${span(idleSeconds)} after ${lastUse(extendedByTests)}`;
