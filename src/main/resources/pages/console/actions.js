// What changes a filter; each action asks first, by name.

import { PATHS, send } from './api.js';
import { confirmed } from './dialog.js';
import { orNothing } from './fields.js';
import { adoptedKey, describe } from './filter.js';
import { list } from './list.js';
import { readNames } from './names.js';
import { fromNow, number, oneIn, percent, readCount, readSeconds, readShare } from './numbers.js';
import { say, state, update } from './state.js';

/** Asks, sends, and shows the filter as it is then. */
async function change(question, done, { forgets = false } = {}) {
  const { name } = state;
  const request = await confirmed(question(name));
  if (!request) {
    return;
  }
  await send(request);
  if (forgets) {
    update({ answers: null });
  }
  say(done);
  await Promise.all([name === state.name && describe(name), list()]);
}

export const expire = () => change((name) => ({
  title: `Set the deadline of ${name}`,
  text: 'Then the filter vanishes with all its elements.',
  yes: 'Set',
  fields: [
    { id: 'ttl', label: 'From now', value: '1', unit: { id: 'unit', label: 'Unit of the time', value: '86400' },
      read: readSeconds, words: (seconds) => `Vanishes ${fromNow(Date.now() + 1000 * seconds)}` },
  ],
  request: ({ ttl }) => ({ method: 'PUT', path: PATHS.expiry, name, body: { ttlSeconds: ttl } }),
}), 'The deadline is set.');

export const keep = () => change((name) => ({
  title: `Remove the deadline of ${name}?`,
  text: 'Then the filter stays until it is deleted.',
  yes: 'Remove',
  request: () => ({ method: 'DELETE', path: PATHS.expiry, name }),
}), 'The deadline is removed.');

export const clear = () => change((name) => ({
  title: `Clear ${name}?`,
  text: `All its elements are dropped${adoptedKey() ? `, for the other users of ${adoptedKey()} too` : ''}. ` +
    'Parameters and deadline stay. This cannot be undone.',
  yes: 'Clear',
  danger: true,
  request: () => ({ method: 'POST', path: PATHS.clear, name }),
}), 'The filter is empty.', { forgets: true });

export const merge = () => change((name) => ({
  title: `Merge others into ${name}?`,
  text: `${name} then also has what these hold; they stay as they are. They must have the same size and hash scheme. ` +
    'Elements cannot be taken out again.',
  yes: 'Merge',
  danger: true,
  fields: [{ id: 'from', label: 'Names of the others', hint: 'With commas between them', read: readNames }],
  request: ({ from }) => ({ method: 'POST', path: PATHS.merge, name, body: { from } }),
}), 'The filters are merged.');

export const openRebuild = () => change((name) => ({
  title: `Open a rebuild of ${name}?`,
  text: 'An empty filter is made beside it. Load it, then commit it in one step; until then tests are answered as now. ' +
    'What is left empty stays as it is.',
  yes: 'Open',
  fields: [
    { id: 'n', label: 'How many elements will it hold?', hint: 'As now', read: orNothing(readCount),
      words: (n) => (n ? `${number(n)} elements` : 'As now') },
    { id: 'p', label: 'How many strangers may it let through?', hint: 'As now', read: orNothing(readShare),
      words: (p) => (p ? `${percent(p)}: ${oneIn(p)}` : 'As now') },
  ],
  request: ({ n, p }) => ({
    method: 'POST', path: PATHS.rebuild, name, body: { expectedInsertions: n, falsePositiveProbability: p },
  }),
}), 'The rebuild is open.');

export const commit = () => change((name) => ({
  title: `Commit the rebuild of ${name}?`,
  text: 'What was loaded takes the place of all its elements, for every reader at once.',
  yes: 'Commit',
  danger: true,
  request: () => ({ method: 'POST', path: PATHS.commit, name }),
}), 'The rebuild is committed.', { forgets: true });

export const abort = () => change((name) => ({
  title: `Abort the rebuild of ${name}?`,
  text: 'What was loaded is dropped. The filter keeps the elements it has.',
  yes: 'Abort',
  danger: true,
  request: () => ({ method: 'DELETE', path: PATHS.rebuild, name }),
}), 'The rebuild is aborted.');

export const runSource = () => change((name) => ({
  title: `Rebuild ${name} from its source now?`,
  text: 'What the source has takes the place of all its elements, in one step, when all of it is read.',
  yes: 'Run',
  request: () => ({ method: 'POST', path: PATHS.run, name }),
}), 'The source is being read.');
