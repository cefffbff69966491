// Keeps the page up to date, and shows when the service does not answer.

import { Problem } from './api.js';
import { refused } from './key.js';
import { timeOfDay } from './numbers.js';
import { say, state, update } from './state.js';

/**
 * Between two looks, in milliseconds; while the service is away up to the second. An answer may be a
 * second old, so that a change shows within two.
 */
const PAUSE = 900;
const LONGEST_PAUSE = 15000;

/** How long to wait for an answer, in milliseconds. */
const TIMEOUT = 5000;

let timer = 0;
let refresh = async () => {};
let isLooking = false;
let pause = PAUSE;
let lastAnswer = Date.now();

/**
 * Refreshes again and again, but not while the page is hidden.
 *
 * @param work gets a signal that aborts it
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
    await refresh(AbortSignal.timeout(TIMEOUT));
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
    say('The service is responding again.');
  }
}

/** Why the page is not kept up to date by a service that answers. */
const REFUSALS = {
  403: 'Your key does not give access to this.',
  429: 'Your key sent too many requests. The page will retry less often.',
};

/** Shows that the service has not answered, or refuses to. */
export function missed(problem) {
  if (problem.status === 401) {
    refused();
    return;
  }
  const refusal = REFUSALS[problem.status];
  if (!problem.isAway && !refusal) {
    return;
  }
  const why = problem.status === 0 ? '' : ` Reason: ${problem.title}.`;
  update({
    connection: refusal
      ? `Last updated at ${timeOfDay(lastAnswer)}. ${refusal}`
      : `No response since ${timeOfDay(lastAnswer)}, retrying.${why} The figures may be out of date.`,
  });
}
