// Actions on several filters, which are chosen in the list.

import { PATHS, Problem, send } from './api.js';
import { confirmed } from './dialog.js';
import { expiryFields, expiryOf } from './expiry.js';
import { list } from './list.js';
import { html, nothing } from './lit.js';
import { counted } from './numbers.js';
import { button } from './parts.js';
import { showRows, state } from './state.js';
import { eachOf } from './transfer.js';

/** The names in a question; more would not fit. */
const NAMED = 5;

const chosen = () => [...state.rows.chosen].sort();

/** Chooses filters, or drops them from the choice. */
function choose(filters, isOn) {
  const names = new Set(state.rows.chosen);
  filters.forEach(({ name }) => (isOn ? names.add(name) : names.delete(name)));
  showRows({ chosen: names });
}

/** Begins or ends the choice. */
export const toggleChoice = () => showRows({ chosen: state.rows.chosen ? null : new Set() });

/** A box that chooses some filters. */
export function box(label, filters) {
  const count = filters.filter(({ name }) => state.rows.chosen.has(name)).length;
  return html`<input type="checkbox" aria-label=${label} .checked=${count > 0 && count === filters.length}
    .indeterminate=${count > 0 && count < filters.length} @change=${({ target }) => choose(filters, target.checked)}>`;
}

function named(names) {
  const first = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${first} and ${counted(names.length - NAMED, 'other')}` : first;
}

/** Sends a request for each filter. Those that failed stay chosen. */
async function sendEach(request) {
  const failed = [];
  const done = await eachOf(request.names, async (name) => {
    try {
      await send({ ...request, name });
    } catch (problem) {
      if (problem.isAway || problem.status === 401) {
        throw problem;
      }
      // Another client may have deleted it since.
      if (problem.status !== 404) {
        failed.push({ name, problem });
      }
    }
  });
  const left = request.names.slice(done);
  showRows({ chosen: new Set([...failed.map(({ name }) => name), ...left]) });
  await list();
  if (failed.length > 0) {
    throw new Problem(`${counted(failed.length, 'filter')} of ${request.names.length} failed`, failed[0].problem.message);
  }
  return left.length > 0 ? `Stopped with ${counted(left.length, 'filter')} left.` : null;
}

async function change(question, done) {
  const names = chosen();
  let stopped = null;
  const isSent = await confirmed(question(names), async (request) => {
    stopped = await sendEach(request);
  });
  return isSent ? stopped ?? `${counted(names.length, 'filter')}: ${done}.` : undefined;
}

const expire = () => change((names) => ({
  title: `Set the expiry of ${counted(names.length, 'filter')}`,
  text: `When they expire, these filters are deleted with all their elements: ${named(names)}.`,
  yes: 'Set',
  fields: expiryFields('Expire', false),
  request: ({ ttl, since }) => ({ method: 'PUT', path: PATHS.expiry, names, body: expiryOf(ttl, since) }),
}), 'the expiry was set');

const keep = () => change((names) => ({
  title: `Remove the expiry of ${counted(names.length, 'filter')}?`,
  text: `These filters will be kept until you delete them: ${named(names)}.`,
  yes: 'Remove',
  request: () => ({ method: 'DELETE', path: PATHS.expiry, names }),
}), 'the expiry was removed');

const remove = () => change((names) => ({
  title: `Delete ${counted(names.length, 'filter')}?`,
  text: `Deletes these filters with all their elements: ${named(names)}. This cannot be undone.`,
  yes: 'Delete',
  danger: true,
  request: () => ({ method: 'DELETE', path: PATHS.filter, names }),
}), 'deleted');

/** The number of chosen filters, and what can be done with them. */
export function chosenBar(all) {
  if (!state.rows.chosen) {
    return nothing;
  }
  const isOff = state.rows.chosen.size === 0;
  return html`
    <div id="chosen" class="buttons" role="group" aria-label="Chosen filters">
      <span class="choose">${box(`Choose all ${counted(all.length, 'filter')}`, all)}</span>
      <span id="chosen-count">${counted(state.rows.chosen.size, 'filter')} chosen</span>
      ${button('chosen-expire', 'Set expiry …', expire, { isOff })}
      ${button('chosen-keep', 'Remove expiry …', keep, { isOff })}
      ${button('chosen-delete', 'Delete …', remove, { isOff, kind: 'danger' })}
    </div>`;
}
