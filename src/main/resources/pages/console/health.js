// Warnings of the readiness check about Redis.

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
    // The requests for filters show whether the service answers.
    return;
  }
  nextLook = Date.now() + PAUSE;
  update({ warnings: checks.flatMap((check) => Object.values(check.data ?? {})) });
}
