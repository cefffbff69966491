// What readiness says of Redis: that it is not as it must be, or endangers filters.

import { update } from './state.js';

const HEALTH = 'q/health/ready';

/** Between two looks, in milliseconds. */
const PAUSE = 15000;

let nextLook = 0;

/** Looks now and then; where readiness is asked elsewhere, nothing is shown. */
export async function health(signal) {
  if (Date.now() < nextLook) {
    return;
  }
  let checks = [];
  try {
    const answer = await fetch(HEALTH, { signal, headers: { accept: 'application/json' } });
    checks = (await answer.json()).checks ?? [];
  } catch {
    // Whether the service answers is told by the looks at its filters.
    return;
  }
  nextLook = Date.now() + PAUSE;
  update({ warnings: checks.flatMap((check) => Object.values(check.data ?? {})) });
}
