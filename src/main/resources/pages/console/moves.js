// What makes another filter of one, or ends it; each action asks first, by name.

import { PATHS } from './api.js';
import { soon } from './connection.js';
import { confirmed } from './dialog.js';
import { adoptedKey, describe, leave } from './filter.js';
import { list } from './list.js';
import { readName } from './names.js';
import { addressOf, say, state } from './state.js';
import { download, upload } from './transfer.js';

const toField = (label) => ({ id: 'to', label, read: readName });
const REPLACE = {
  id: 'replace', label: 'Drop the filter that bears this name, if there is one', kind: 'checkbox',
};

const formats = (last) => ['bloomgate', 'guava', 'bits-and-blooms', last].map((format) => [format, format]);

/** Goes to the filter that comes of it. */
async function become(question, done) {
  const request = await confirmed(question);
  if (request) {
    await leave(request, addressOf(request.body.to));
    say(done(request.body.to));
    await list();
  }
}

export const rename = () => become({
  title: `Rename ${state.name}?`,
  text: `Nobody finds it as ${state.name} any more. Content and deadline stay.`,
  yes: 'Rename',
  danger: true,
  fields: [toField('New name'), REPLACE],
  request: (body) => ({ method: 'POST', path: PATHS.rename, name: state.name, body }),
}, (to) => `It is named ${to} now.`);

export const copy = () => become({
  title: `Copy ${state.name}`,
  text: 'Makes another filter of the same size and with the same elements.',
  yes: 'Copy',
  fields: [toField('Name of the copy'), REPLACE],
  request: (body) => ({ method: 'POST', path: PATHS.copy, name: state.name, body }),
}, (to) => `${to} is a copy.`);

export async function remove() {
  const { name } = state;
  const request = await confirmed({
    title: `Delete ${name}?`,
    text: adoptedKey()
      ? `The filter lets go of the Redis key ${adoptedKey()}, which keeps its elements.`
      : 'The filter and all its elements are dropped. This cannot be undone.',
    yes: 'Delete',
    danger: true,
    request: () => ({ method: 'DELETE', path: PATHS.filter, name }),
  });
  if (request) {
    await leave(request, '');
    say(`${name} is deleted.`);
    await list();
  }
}

export async function exportFile() {
  const { name } = state;
  const request = await confirmed({
    title: `Export ${name}`,
    text: 'One file with all its bits, which this service, or the library of the format, reads again.',
    yes: 'Export',
    fields: [
      { id: 'format', label: 'Format', value: 'bloomgate', options: formats('redis-bitmap') },
      state.filter?.counting && { id: 'plain', label: 'Bits in place of counters: a filter that does not count', kind: 'checkbox' },
    ].filter(Boolean),
    request: ({ format, plain }) => ({
      method: 'GET', path: PATHS.export, name, saveAs: `${name}.bloom`,
      query: { format: format === 'bloomgate' ? null : format, plain: plain || null },
    }),
  });
  if (request) {
    await download(request);
    say('The file is saved.');
  }
}

/** Into the filter that is shown, or into a new one. */
export async function importFile() {
  const name = state.view === 'described' ? state.name : null;
  let file = null;
  const request = await confirmed({
    title: name ? `Import a file over ${name}?` : 'Import a filter',
    text: name
      ? 'The content and parameters of the file take the place of those it has, in one step when all of it is checked.'
      : 'Makes a filter of a file that was exported here or by a library. A filter of the same name is replaced.',
    yes: 'Import',
    danger: true,
    fields: [
      ...(name ? [] : [{ id: 'to', label: 'Name', read: readName }]),
      { id: 'file', label: 'File', kind: 'file' },
      { id: 'format', label: 'Format', value: 'bloomgate', options: formats('redisbloom') },
    ],
    request: ({ to, file: chosen, format }) => {
      file = chosen;
      return {
        method: 'PUT', path: PATHS.import, name: name ?? to, query: { format: format === 'bloomgate' ? null : format },
        type: 'application/octet-stream', file: chosen.name,
      };
    },
  });
  if (request) {
    soon();
    await upload(request, file);
    say('The file is imported.');
    location.hash = addressOf(request.name);
    await Promise.all([request.name === state.name && describe(request.name), list()]);
  }
}
