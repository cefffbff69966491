// Actions that change a filter. Each asks for confirmation first.

import { PATHS, send } from './api.js';
import { confirmed } from './dialog.js';
import { expiryFields, expiryOf } from './expiry.js';
import { orNothing } from './fields.js';
import { adoptedKey, describe } from './filter.js';
import { list } from './list.js';
import { readNames } from './names.js';
import { elementsIn, oneIn, percent } from './numbers.js';
import { readCount, readShare } from './reading.js';
import { state, update } from './state.js';
import { working } from './transfer.js';

/** Asks for confirmation, sends the request, and shows the changed filter. */
export async function change(question, done, { forgets = false } = {}) {
  const { name } = state;
  const asked = question(name);
  if (!await confirmed(asked, (request) => (
    asked.progress ? working(asked.progress, name, send(request)) : send(request)))) {
    return undefined;
  }
  if (forgets) {
    update({ answers: null });
  }
  await Promise.all([name === state.name && describe(name), list()]);
  return done;
}

export const expire = () => change((name) => ({
  title: `Set the expiry of ${name}`,
  text: 'When it expires, the filter is deleted with all its elements.',
  yes: 'Set',
  fields: expiryFields('Expires', adoptedKey() !== null),
  request: ({ ttl, since = 'now' }) => ({ method: 'PUT', path: PATHS.expiry, name, body: expiryOf(ttl, since) }),
}), 'The expiry was set.');

export const keep = () => change((name) => ({
  title: `Remove the expiry of ${name}?`,
  text: 'The filter will then be kept until you delete it.',
  yes: 'Remove',
  request: () => ({ method: 'DELETE', path: PATHS.expiry, name }),
}), 'The expiry was removed.');

export const clear = () => change((name) => ({
  title: `Clear ${name}?`,
  text: `Deletes all elements${adoptedKey() ? `, including for other users of ${adoptedKey()}` : ''}. ` +
    'Parameters and expiry stay. This cannot be undone.',
  yes: 'Clear',
  danger: true,
  request: () => ({ method: 'POST', path: PATHS.clear, name }),
}), 'The filter was cleared.', { forgets: true });

export const merge = () => change((name) => ({
  title: `Merge other filters into ${name}?`,
  text: `Adds their elements to ${name}. The other filters do not change. All must have the same size and hash scheme. ` +
    'This cannot be undone.',
  yes: 'Merge',
  progress: 'Merging',
  danger: true,
  fields: [{ id: 'from', label: 'Names of the other filters', hint: 'Separated by commas', read: readNames(16) }],
  request: ({ from }) => ({ method: 'POST', path: PATHS.merge, name, body: { from } }),
}), 'The filters were merged.');

export const openRebuild = () => change((name) => ({
  title: `Open a rebuild of ${name}?`,
  text: 'Creates a second, empty filter. Load it, then commit it. Until then, tests are answered from the old content.',
  yes: 'Open',
  fields: [
    { id: 'n', label: 'Capacity', hint: 'Unchanged', read: orNothing(readCount),
      words: (n, text) => (n ? elementsIn(n, text) : 'Unchanged') },
    { id: 'p', label: 'False-positive rate', hint: 'Unchanged', read: orNothing(readShare),
      words: (p) => (p ? `${percent(p)}: ${oneIn(p)}` : 'Unchanged') },
  ],
  request: ({ n, p }) => ({
    method: 'POST', path: PATHS.rebuild, name, body: { expectedInsertions: n, falsePositiveProbability: p },
  }),
}), 'The rebuild is open.');

export const commit = () => change((name) => ({
  title: `Commit the rebuild of ${name}?`,
  text: 'Replaces the content with the loaded elements, in one step for all clients.',
  yes: 'Commit',
  danger: true,
  fields: state.filter.rebuild.elementsReceived > 0 ? [] : [{
    id: 'empty', label: 'Nothing was loaded. Commit anyway and empty the filter', kind: 'checkbox',
    read: (isSet) => (isSet ? { value: true } : { problem: 'Load elements first, or tick this box.' }),
  }],
  request: ({ empty }) => ({ method: 'POST', path: PATHS.commit, name, body: empty && { allowEmpty: true } }),
}), 'The rebuild was committed.', { forgets: true });

export const abort = () => change((name) => ({
  title: `Abort the rebuild of ${name}?`,
  text: 'Deletes the loaded elements. The filter keeps its current content.',
  yes: 'Abort',
  danger: true,
  request: () => ({ method: 'DELETE', path: PATHS.rebuild, name }),
}), 'The rebuild was aborted.');
