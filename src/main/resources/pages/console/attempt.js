// Actions and their outcomes.

import { missed } from './connection.js';
import { $, say, state, update } from './state.js';
import { Cancelled } from './transfer.js';

const ADVICE = {
  403: 'The top of the page shows the role of your key. “Change key” switches to another one.',
  429: 'Wait a moment, then try again.',
};

/** The problem in words, with advice. */
export const wordsOf = (problem) => [problem.message, ADVICE[problem.status]].filter(Boolean).join(' ');

/** Shows an outcome next to its button, or at the top if the button is gone. */
function show(outcome) {
  update({ outcome });
  if (!$('outcome')?.checkVisibility()) {
    update({ outcome: { ...outcome, at: null } });
  }
  $('outcome').scrollIntoView({ block: 'nearest' });
}

/** Shows a problem. */
export function fail(problem, at = null) {
  if (problem.isAway || problem.status === 401) {
    missed(problem);
  }
  if (problem.status !== 401) {
    show({ at, problem });
  }
}

/** Shows what was done, unless a dialog that was opened since shows a problem. */
function succeed(text, at) {
  if (!state.asked || !state.outcome?.problem) {
    show({ at, text });
  }
  say(text);
}

/**
 * Runs an action. Shows its problem, or the text that it returns.
 *
 * @param id the button or form, which is disabled until the action ends
 */
export async function attempt(work, id, button) {
  const hasFocus = button && document.activeElement === button;
  state.busy.add(id);
  update({ outcome: null });
  try {
    const done = await work();
    if (typeof done === 'string') {
      succeed(done, id);
    }
  } catch (problem) {
    if (problem instanceof Cancelled) {
      succeed(problem.message, id);
    } else {
      fail(problem, id);
    }
  } finally {
    state.busy.delete(id);
    update();
    // A disabled button loses the focus, and so does a button in a closed dialog.
    const now = document.activeElement;
    if (hasFocus && (now === document.body || !now.checkVisibility())) {
      button.focus();
    }
  }
}
