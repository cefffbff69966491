// One filter: what it is and how it is.

import { call, look, PATHS, send } from './api.js';
import { attempt } from './attempt.js';
import { missed } from './connection.js';
import { listed } from './list.js';
import { note } from './past.js';
import { $, nameIn, state, typed, update } from './state.js';

/** Of these the filter is not the reason. */
const NOT_ALLOWED = [401, 403, 429];

/** Of answers only the one that was asked for last is shown. */
let asked = 0;
let answered = 0;

function isLast(question) {
  const isNewer = question > answered;
  answered = Math.max(question, answered);
  return isNewer;
}

/** Settled once nothing that was asked of filters is unanswered. */
let quiet = Promise.resolve();

function answerTo(question) {
  quiet = Promise.allSettled([quiet, question]);
  return question;
}

/** The filter that is being left, of which nothing is asked any more; null for none. */
let left = null;

/**
 * Sends what ends the filter that is shown, or makes another of it, then goes to that address. A
 * question on its way would find no filter of the name, so those that are unanswered come first.
 */
export async function leave(request, hash) {
  left = state.name;
  try {
    await quiet;
    await send(request);
    location.hash = hash;
  } catch (problem) {
    left = null;
    throw problem;
  }
}

/** The rebuild for which a way to load was offered last. */
let offered = null;

/** Who opens a rebuild means to load it. */
function offerLoad(id) {
  if (id !== offered) {
    offered = id;
    typed['load-way'] = id ? 'rebuild' : 'add';
  }
}

function show(filter) {
  note(filter);
  offerLoad(filter.rebuild?.id ?? null);
  update({ view: 'described', filter, lost: null });
}

/** The Redis key that the filter has adopted; null for none. */
export const adoptedKey = () => (state.filter?.adopted ? state.filter.redisKey : null);

export async function describe(name) {
  const question = (asked += 1);
  const filter = await answerTo(call('GET', PATHS.filter, { name }));
  if (name === state.name && isLast(question)) {
    show(filter);
  }
}

/** Brings what is shown up to date; a form that was opened meanwhile stays. */
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
      // It may not have been there, or nobody to tell of it, when it was asked for.
      show(filter);
    }
  } catch (problem) {
    if (problem.isAway || NOT_ALLOWED.includes(problem.status)) {
      throw problem;
    }
    if (isWanted() && state.view === 'described') {
      // It was there and is not any more, or not whole.
      update({ lost: { word: problem.status === 404 ? 'gone' : 'damaged', text: problem.message } });
    }
  }
}

/** Shows the filter that the address names, or the start. */
export function follow() {
  const name = nameIn(location.hash);
  left = null;
  update({ name, answers: null, loaded: '', view: name ? state.view : 'welcome' });
  if (!name) {
    return undefined;
  }
  return attempt(async () => {
    try {
      await describe(name);
      $('described-heading').focus();
    } catch (problem) {
      showDamaged(name);
      if (!problem.isAway) {
        throw problem;
      }
      missed(problem);
    }
  });
}

/** What cannot be described may still be deleted. */
function showDamaged(name) {
  if (name !== state.name) {
    return;
  }
  if (listed(name)?.state !== 'damaged') {
    update({ view: 'welcome' });
    return;
  }
  offerLoad(null);
  const text = 'Its elements are not known any more. Replace its content, or delete it.';
  update({ view: 'described', filter: null, lost: { word: 'damaged', text } });
}
