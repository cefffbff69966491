// Warnings of the readiness check about Redis.

import { update } from './state.js';

const HEALTH = 'q/health/ready';

/** The time between two polls, in milliseconds. */
const PAUSE = 15000;

let nextLook = 0;

/** Polls the readiness check. If it is on another port, nothing is shown. */
export async function health(signal) {
  if (Date.now() < nextLook) {
    return;
  }
  let checks = [];
  try {
    const answer = await fetch(HEALTH, { signal, headers: { accept: 'application/json' } });
    checks = (await answer.json()).checks ?? [];
  } catch {
    // Polling of filters shows whether the service responds.
    return;
  }
  nextLook = Date.now() + PAUSE;
  update({ warnings: checks.flatMap((check) => Object.values(check.data ?? {})) });
}
