// Keeps the page up to date, and tells when the service does not answer.

import { Problem } from './api.js';
import { timeOfDay } from './numbers.js';
import { say, state, update } from './state.js';

/**
 * Between two looks, in milliseconds; while the service is away up to the second. An answer may be a
 * second old, so that a change shows within two.
 */
const PAUSE = 900;
const LONGEST_PAUSE = 15000;

/** After so long an answer is missing. */
const PATIENCE = 5000;

let timer = 0;
let refresh = async () => {};
let isLooking = false;
let pause = PAUSE;
let lastAnswer = Date.now();

/**
 * Looks again and again, but not while nobody sees the page.
 *
 * @param work is given what tells it to stop waiting for an answer
 */
export function keepFresh(work) {
  refresh = work;
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : soon()));
  window.addEventListener('online', soon);
  later();
}

/** Looks now. */
export function soon() {
  clearTimeout(timer);
  pause = PAUSE;
  timer = setTimeout(look, 0);
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(look, pause);
}

async function look() {
  if (document.hidden || isLooking) {
    return;
  }
  isLooking = true;
  try {
    await refresh(AbortSignal.timeout(PATIENCE));
    answered();
    pause = PAUSE;
  } catch (problem) {
    missed(problem);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    if (!(problem instanceof Problem)) {
      // The page is wrong, and the browser says where.
      throw problem;
    }
  } finally {
    isLooking = false;
    later();
  }
}

/** The service has answered. */
export function answered() {
  lastAnswer = Date.now();
  if (state.connection) {
    update({ connection: null });
    say('The service answers again.');
  }
}

/** Why the page is not kept up to date by a service that answers. */
const REFUSALS = {
  401: 'The service does not know the key that is used, or asks for one: press “Key …”.',
  403: 'The key that is used may not see this.',
  429: 'The key that is used has asked too often; the page asks again, more slowly.',
};

/** The service has not answered, or refuses to, if that is what went wrong. */
export function missed(problem) {
  const refusal = REFUSALS[problem.status];
  if (!problem.isAway && !refusal) {
    return;
  }
  const why = problem.status === 0 ? '' : ` It says: ${problem.title.toLowerCase()}.`;
  update({
    connection: refusal
      ? `Not up to date since ${timeOfDay(lastAnswer)}. ${refusal}`
      : `No answer since ${timeOfDay(lastAnswer)}, trying again.${why} What is shown may be old.`,
  });
}
