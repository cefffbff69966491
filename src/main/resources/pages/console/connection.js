// Keeps the page up to date, and shows when the service does not respond.

import { Problem } from './api.js';
import { refused } from './key.js';
import { timeOfDay } from './numbers.js';
import { say, state, update } from './state.js';

/**
 * The time between two polls, in milliseconds, or until the next second while the service is
 * unavailable. A response may be a second old, so a change shows within two seconds.
 */
const PAUSE = 900;
const LONGEST_PAUSE = 15000;

/** The timeout of a request, in milliseconds. */
const TIMEOUT = 5000;

let timer = 0;
let refresh = async () => {};
let isLooking = false;
let pause = PAUSE;
/** When the service last responded; null if it has not since the page was opened. */
let lastAnswer = null;

/**
 * Polls while the page is visible.
 *
 * @param work gets a signal that aborts it
 */
export function keepFresh(work) {
  refresh = work;
  document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : soon()));
  window.addEventListener('online', soon);
  later();
}

/** Polls now. */
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
      // This is a bug in the page, so the browser should log it.
      throw problem;
    }
  } finally {
    isLooking = false;
    later();
  }
}

/** Notes that the service has responded. */
export function answered() {
  lastAnswer = Date.now();
  if (state.connection) {
    update({ connection: null });
    say('The service is responding again.');
  }
}

/** Why a service that responds does not update the page. */
const REFUSALS = {
  403: ({ message }) => message,
  429: () => 'There were too many requests, with your key or to a filter. The page will retry less often.',
};

/** Whether polling meets the problem too, and shows it until it is over. */
export const isPolled = (problem) => problem.isAway || problem.status in REFUSALS;

/** Shows that the service did not respond, or refused to. */
export function missed(problem) {
  if (problem.status === 401) {
    refused();
    return;
  }
  if (!isPolled(problem)) {
    return;
  }
  update({ connection: problem.isAway ? away(problem) : refusal(problem) });
}

function refusal(problem) {
  const words = REFUSALS[problem.status](problem);
  return lastAnswer ? `Last updated at ${timeOfDay(lastAnswer)}. ${words}` : words;
}

function away(problem) {
  const why = problem.status === 0 ? '' : ` Reason: ${problem.title}.`;
  return lastAnswer
    ? `No response since ${timeOfDay(lastAnswer)}, retrying.${why} The figures may be out of date.`
    : `No response yet, retrying.${why}`;
}
