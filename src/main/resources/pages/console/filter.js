// The filter in the address.

import { call, look, PATHS, send } from './api.js';
import { fail } from './attempt.js';
import { missed, soon } from './connection.js';
import { openForm } from './create.js';
import { forgetEncoding } from './elements.js';
import { noteExact } from './exact.js';
import { note } from './past.js';
import { openSeveral } from './several.js';
import { $, placeIn, state, typed, update } from './state.js';

/** Errors that are not about the filter. */
const NOT_ALLOWED = [401, 403, 429];

/** A part of the filter is missing, or another program wrote to its key. */
const NOT_WHOLE = [409, 410];

/** Only the response to the last request is shown. */
let asked = 0;
let answered = 0;

function isLast(question) {
  const isNewer = question > answered;
  answered = Math.max(question, answered);
  return isNewer;
}

/** Resolves when all requests about filters are answered. */
let quiet = Promise.resolve();

function answerTo(question) {
  quiet = Promise.allSettled([quiet, question]);
  return question;
}

/** The filter that is being left, which is no longer polled; null for none. */
let left = null;

/**
 * Sends a request that deletes, renames or copies the filter. It first waits for pending requests
 * about the filter, which would otherwise not find it.
 */
export async function leave(request) {
  left = state.name;
  try {
    await quiet;
    await send(request);
  } catch (problem) {
    left = null;
    throw problem;
  }
}

/** The last rebuild for which the page offered to load elements. */
let offered = null;

/** After a rebuild was opened, the next step is usually to load it. */
function offerLoad(id) {
  if (id !== offered) {
    offered = id;
    typed['load-way'] = id ? 'rebuild' : 'add';
  }
}

function show(filter) {
  note(filter);
  noteExact(filter);
  offerLoad(filter.rebuild?.id ?? null);
  update({ view: 'described', filter, lost: null });
}

/** The Redis key of an adopted filter; null for others. */
export const adoptedKey = () => (state.filter?.adopted ? state.filter.redisKey : null);

export async function describe(name) {
  const question = (asked += 1);
  const filter = await answerTo(call('GET', PATHS.filter, { name }));
  if (name === state.name && isLast(question)) {
    show(filter);
  }
}

/** Updates the view. */
export async function refresh(signal) {
  const { name } = state;
  const question = (asked += 1);
  const isWanted = () => name === state.name && state.view !== 'creation' && isLast(question);
  if (!name || name === left || state.view === 'creation') {
    return;
  }
  try {
    const filter = await answerTo(look(PATHS.filter, { name, signal }));
    if (isWanted()) {
      // The filter or the service may have been missing before.
      show(filter);
    }
  } catch (problem) {
    if (problem.isAway || NOT_ALLOWED.includes(problem.status)) {
      throw problem;
    }
    if (isWanted() && state.view === 'described') {
      // The filter existed before, and is now missing or damaged.
      update({ lost: { word: problem.status === 404 ? 'gone' : 'damaged', text: problem.message } });
    }
  }
}

/** Goes to an address and shows its view. */
export async function goTo(hash) {
  history.pushState(null, '', hash);
  await follow();
}

/** Shows the view for the address. */
export async function follow() {
  const { view, name, tab, values } = placeIn(location.hash);
  left = null;
  update({ outcome: null, first: view === 'list' ? state.first : { step: 0 } });
  if (view === 'creation') {
    update({ name });
    openForm(values);
  } else if (view === 'several') {
    update({ name });
    openSeveral(values);
  } else if (view === 'list') {
    update({ view, name });
    soon();
  } else if (name === state.name && state.view === view) {
    update({ tab });
  } else {
    forgetEncoding();
    update({ name, tab, answers: null });
    await open(name);
  }
}

async function open(name) {
  try {
    await describe(name);
    $('described-heading').focus();
  } catch (problem) {
    if (name !== state.name) {
      return;
    }
    if (NOT_WHOLE.includes(problem.status)) {
      showDamaged(problem);
    } else if (problem.isAway || problem.status === 429) {
      missed(problem);
    } else {
      // Polling would report again that the key may not see the filter.
      update({ view: 'list', name: problem.status === 403 ? null : name });
      fail(problem);
    }
  }
}

/** A damaged filter has no description, but can be replaced or deleted. */
function showDamaged({ message: text }) {
  offerLoad(null);
  update({ view: 'described', filter: null, lost: { word: 'damaged', text } });
}
