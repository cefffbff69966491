// Rename, copy, delete, export and import. Each asks for confirmation first.

import { call, PATHS, Problem } from './api.js';
import { soon } from './connection.js';
import { confirmed } from './dialog.js';
import { orNothing } from './fields.js';
import { adoptedKey, describe, goTo, leave } from './filter.js';
import { SCHEMES } from './kinds.js';
import { list } from './list.js';
import { readName } from './names.js';
import { readCount } from './reading.js';
import { addressOf, state, typed } from './state.js';
import { download, upload, working } from './transfer.js';

const toField = (label) => ({ id: 'to', label, read: readName });
const REPLACE = {
  id: 'replace', label: 'Replace the filter with this name, if one exists', kind: 'checkbox',
};

const IMPORTED = ['bloomgate', 'guava', 'bits-and-blooms', 'redisbloom', 'redis-bitmap'].map((format) => [format, format]);

/** A raw bitmap does not contain its parameters. */
const isRaw = () => typed['ask-format'] === 'redis-bitmap';

const RAW = [
  { id: 'scheme', label: 'Hash scheme', isShown: isRaw, value: SCHEMES[0], options: SCHEMES.map((id) => [id, id]) },
  { id: 'bits', label: 'Bits', isShown: isRaw, read: (text) => (isRaw() ? readCount(text) : { value: undefined }), words: () => '' },
  { id: 'hashes', label: 'Hash functions (k)', isShown: isRaw, placeholder: 'default', read: orNothing(readCount), words: () => '' },
];

/** The query of an import: a format other than our own, with the parameters of a raw bitmap. */
const importQuery = ({ format, scheme, bits, hashes }) => ({
  format: format === 'bloomgate' ? null : format,
  ...(format === 'redis-bitmap' && { hashScheme: scheme, bitSize: bits, numHashFunctions: hashes }),
});
const EXTENSIONS = { guava: 'guava', 'bits-and-blooms': 'bits-and-blooms', 'redis-bitmap': 'bitmap' };
const OF_SCHEME = { 'guava-mitz-32': 'guava', 'guava-mitz-64': 'guava', 'bits-and-blooms': 'bits-and-blooms' };

/** The formats that can contain the filter, each with its query. */
function exported({ hashScheme, segments, hashSecretId, whenFull, window, counting }) {
  const isPlain = segments === 1 && !hashSecretId && whenFull !== 'grow' && !window;
  return [
    { format: 'bloomgate', words: counting ? 'bloomgate, with its counters' : 'bloomgate', query: {} },
    counting && { format: 'plain', words: 'bloomgate, without counters', query: { plain: true } },
    OF_SCHEME[hashScheme] && { format: OF_SCHEME[hashScheme] },
    isPlain && { format: 'redis-bitmap', query: { format: 'redis-bitmap', plain: counting } },
  ].filter(Boolean).map(({ format, words = format, query = { format } }) => ({ format, words, query }));
}

const isTaken = () =>
  new Problem('A filter with this name exists', 'Choose another name, or tick the box to replace it.', 409);

/** Sends the request, and goes to the resulting filter. */
async function become(question, done) {
  const request = await confirmed(question, (wanted) => (
    question.progress ? working(question.progress, wanted.body.to, leave(wanted)) : leave(wanted)).catch((problem) => {
    throw problem.code === 'FILTER_EXISTS' ? isTaken() : problem;
  }));
  if (!request) {
    return undefined;
  }
  const { to } = request.body;
  await Promise.all([goTo(addressOf(to, state.tab)), list()]);
  return done(to);
}

export const rename = () => become({
  title: `Rename ${state.name}?`,
  text: `Clients must switch to the new name immediately. Elements and expiry stay.`,
  yes: 'Rename',
  danger: true,
  fields: [toField('New name'), REPLACE],
  request: (body) => ({ method: 'POST', path: PATHS.rename, name: state.name, body }),
}, (to) => `The filter was renamed to ${to}.`);

export const copy = () => become({
  title: `Copy ${state.name}`,
  text: 'Creates another filter of the same size with the same elements.',
  yes: 'Copy',
  progress: 'Copying',
  fields: [toField('Name of the copy'), REPLACE],
  request: (body) => ({ method: 'POST', path: PATHS.copy, name: state.name, body }),
}, (to) => `${to} was created as a copy.`);

export async function remove() {
  const { name } = state;
  const request = await confirmed({
    title: `Delete ${name}?`,
    text: adoptedKey()
      ? `Deletes the filter. The Redis key ${adoptedKey()} stays, with its elements, unless you choose otherwise.`
      : 'Deletes the filter with all its elements. This cannot be undone.',
    yes: 'Delete',
    danger: true,
    fields: adoptedKey() ? [{ id: 'key', label: 'Delete the Redis key too', kind: 'checkbox' }] : [],
    request: ({ key }) => ({ method: 'DELETE', path: PATHS.filter, name, query: { deleteKey: key || null } }),
  }, leave);
  if (!request) {
    return undefined;
  }
  await Promise.all([goTo('#'), list()]);
  return `${name} was deleted.`;
}

export async function exportFile() {
  const { name } = state;
  const formats = exported(state.filter);
  return await confirmed({
    title: `Export ${name}`,
    text: 'Saves the filter as one file, for this service or for another library.',
    yes: 'Export',
    fields: [
      { id: 'format', label: 'Format', value: 'bloomgate', options: formats.map(({ format, words }) => [format, words]) },
    ],
    request: ({ format: chosen }) => ({
      method: 'GET', path: PATHS.export, name, saveAs: `${name}.${EXTENSIONS[chosen] ?? 'bloom'}`,
      query: formats.find(({ format }) => format === chosen).query,
    }),
  }, download) && 'The file was saved.';
}

/**
 * An import would replace a filter with the same name, so check first. The name sorts before all
 * names that begin with it.
 */
async function mustBeFree(name) {
  const { filters: [first] } = await call('GET', PATHS.list, { query: { prefix: name, limit: 1 } });
  if (first?.name === name) {
    throw isTaken();
  }
}

/** Imports into the current filter, or into a new one. */
export async function importFile() {
  const name = state.view === 'described' ? state.name : null;
  let file = null;
  let mayReplace = false;
  const request = await confirmed({
    title: name ? `Import a file into ${name}?` : 'Import a filter',
    text: name
      ? 'Replaces the content and parameters in one step, once the whole file has been checked.'
      : 'Creates a filter from a file that this service or a library exported.',
    yes: 'Import',
    danger: true,
    fields: [
      ...(name ? [] : [toField('Name'), REPLACE]),
      { id: 'file', label: 'File', kind: 'file' },
      { id: 'format', label: 'Format', value: 'bloomgate', options: IMPORTED },
      ...RAW,
    ],
    request: ({ to, replace, file: chosen, ...rest }) => {
      file = chosen;
      mayReplace = Boolean(name) || replace;
      return {
        method: 'PUT', path: PATHS.import, name: name ?? to, query: importQuery(rest),
        type: 'application/octet-stream', file: chosen.name,
      };
    },
  }, async (wanted) => {
    if (!mayReplace) {
      await mustBeFree(wanted.name);
    }
    soon();
    return upload(wanted, file);
  });
  if (!request) {
    return undefined;
  }
  await (name ? describe(name) : goTo(addressOf(request.name)));
  return 'The file was imported.';
}
