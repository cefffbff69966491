// Elements from a file, one per line.

import { PATHS, Problem } from './api.js';
import { soon } from './connection.js';
import { command } from './curl.js';
import { confirmed } from './dialog.js';
import { field } from './fields.js';
import { describe } from './filter.js';
import { list } from './list.js';
import { html } from './lit.js';
import { counted, number } from './numbers.js';
import { outcome, sends, submit } from './parts.js';
import { $, state, typed, update } from './state.js';
import { upload } from './transfer.js';

/** The ways to load lines, and which lines remain after a cancel. */
const WAYS = {
  add: {
    method: 'POST', path: PATHS.add,
    cancelled: 'Lines sent before that may have been added.',
    done: (answer) => `${counted(answer.received, 'line')} read, ${number(answer.addedCount)} new, ${number(answer.knownCount)} known.`,
  },
  replace: {
    method: 'PUT', path: PATHS.elements,
    cancelled: 'Nothing was changed.',
    done: () => 'The content was replaced.',
  },
  rebuild: {
    method: 'POST', path: PATHS.load,
    cancelled: 'Lines sent before that stay in the rebuild. Abort it to drop them.',
    done: (answer) => `${counted(answer.received, 'line')} loaded. Commit the rebuild to use them for tests.`,
  },
};

const wayOf = () => WAYS[typed['load-way']];

const requestFor = (file) => ({
  method: wayOf().method, path: wayOf().path, name: state.name, type: 'text/plain', file,
});

async function load() {
  const { name } = state;
  const { file } = typed;
  if (!file) {
    throw new Problem('No file chosen', 'Choose a file with one element per line.');
  }
  const way = wayOf();
  let request = requestFor(file.name);
  if (way === WAYS.replace) {
    request = await confirmed({
      title: `Replace the content of ${name}?`,
      text: `Replaces the content in one step, once all lines of ${file.name} have been read.`,
      yes: 'Replace',
      danger: true,
      request: () => requestFor(file.name),
    }, () => {});
  }
  if (!request) {
    return undefined;
  }
  soon();
  const done = way.done(await upload(request, file, way.cancelled));
  $('file').value = '';
  typed.file = null;
  if (way === WAYS.replace) {
    typed['load-way'] = 'add';
  }
  update({ answers: null });
  await Promise.all([name === state.name && describe(name), list()]);
  return done;
}

/** The ways to load a file now. A replacement opens its own rebuild. */
const ways = (rebuild) => [
  ['add', 'Add to the filter'],
  ['replace', 'Replace all elements in one step', { needs: 'admin', isOff: Boolean(rebuild) }],
  ['rebuild', 'Load into the open rebuild', { isOff: rebuild?.state !== 'open' }],
];

export const loadCard = (rebuild) => html`
  <section class="card" aria-labelledby="load-heading" data-needs="writer">
    <h2 id="load-heading" class="hidden">Load a file</h2>
    <form id="load-form" @submit=${sends(load)}>
      <div class="pair">
        ${field({ id: 'file', label: 'File with one element per line', kind: 'file', isRequired: true }, { isTouched: false })}
        ${field({ id: 'load-way', label: 'Action', options: ways(rebuild) })}
      </div>
      <div class="buttons">
        ${submit('load-form', 'Load', { kind: 'primary' })}
        ${outcome('load-form')}
      </div>
    </form>
    ${command('load-curl', requestFor(typed.file?.name ?? 'elements.txt'))}
  </section>`;
