// What is asked for, and what went wrong with it.

import { key } from './api.js';
import { missed } from './connection.js';
import { askForKey } from './key.js';
import { $, state, update } from './state.js';

const ADVICE = {
  401: 'Press “Key …” at the top to use another key.',
  403: 'What the key that is used may do stands at the top; “Key …” takes another one.',
  429: 'Wait a little, then try again.',
};

/** What went wrong, in words that stay until it is dismissed, or something else is asked for. */
export const wordsOf = (problem) => [problem.message, ADVICE[problem.status]].filter(Boolean).join(' ');

/** Shows what went wrong with what was asked for. */
export function fail(problem) {
  if (problem.isAway) {
    missed(problem);
  }
  if (problem.status === 401) {
    askForKey(key.get() ? 'The key that was used is not known.' : 'This service asks for an API key.');
  }
  update({ problem });
  $('problem').scrollIntoView({ block: 'nearest' });
}

/**
 * Runs what is asked for, and shows what goes wrong.
 *
 * @param id of what is at work meanwhile, and can be pressed again only after it
 */
export async function attempt(work, id, button) {
  const hasFocus = button && document.activeElement === button;
  state.busy.add(id);
  update({ problem: null });
  try {
    await work();
  } catch (problem) {
    fail(problem);
  } finally {
    state.busy.delete(id);
    update();
    // A button that is disabled loses the focus, also to a dialog that is closed.
    const now = document.activeElement;
    if (hasFocus && (now === document.body || !now.checkVisibility())) {
      button.focus();
    }
  }
}
