// The filters of the list: all of them up to 1,000, more in pages.

import { call, look, PATHS } from './api.js';
import { number } from './numbers.js';
import { $, say, state, typed, update } from './state.js';

const LIMIT = 1000;
const TYPING_PAUSE = 250;

/** Longer lists are refreshed less often, because they cost the service more. */
const LONG = 100;
const PAUSE_WHEN_LONG = 5000; // milliseconds

/** The prefix that the service searches for, if not all filters are loaded. */
let prefix = '';
/** The cursors of the pages up to the current one. */
let cursors = [null];

/** Only the response to the last request is shown. */
let asked = 0;
let answered = 0;

/** The number of pending requests from clicks. */
let clicked = 0;
let nextLook = 0;
let typing = 0;

const wanted = () => ({ prefix, limit: LIMIT, cursor: cursors.at(-1), figures: true });

/** Whether there are more filters than are loaded. The service then searches, and only the loaded ones are sorted. */
export const isPaged = () => prefix !== '' || cursors.length > 1 || Boolean(state.page?.nextCursor);

/** The loaded filters with the search text anywhere in their names. */
export function found() {
  const part = typed.search.trim().toLowerCase();
  const filters = state.page?.filters ?? [];
  return isPaged() || !part ? filters : filters.filter(({ name }) => name.toLowerCase().includes(part));
}

/** Loads the current page of the list. */
export async function list() {
  clicked += 1;
  try {
    await show((query) => call('GET', PATHS.list, { query }));
  } finally {
    clicked -= 1;
  }
}

/** Refreshes the current page of the list. */
export async function refreshList(signal) {
  if (clicked === 0 && performance.now() >= nextLook) {
    await show((query) => look(PATHS.list, { signal, query }));
  }
}

async function show(ask) {
  const question = (asked += 1);
  const query = wanted();
  const { filters, nextCursor } = await ask(query);
  const isWanted = Object.entries(wanted()).every(([parameter, value]) => query[parameter] === value);
  if (!isWanted || question < answered) {
    return;
  }
  answered = question;
  nextLook = filters.length > LONG ? performance.now() + PAUSE_WHEN_LONG : 0;
  if (filters.length === 0 && cursors.length > 1) {
    // All filters on this page were deleted or have expired.
    cursors.pop();
    await show(ask);
    return;
  }
  const before = (cursors.length - 1) * LIMIT;
  const range = filters.length === 0 ? '' : `Filters ${number(before + 1)} to ${number(before + filters.length)}`;
  update({ page: { filters, nextCursor, prefix, range, isFirst: cursors.length === 1 } });
  if (isPaged() && typed.search.trim() !== prefix) {
    await search();
  }
}

/** Drops the list of another key. */
export function forgetList() {
  answered = asked;
  nextLook = 0;
  update({ page: null });
}

/** Searches the loaded filters at once, or sends a request after a pause. */
export function searchSoon() {
  clearTimeout(typing);
  if (isPaged()) {
    typing = setTimeout(search, TYPING_PAUSE);
  }
}

async function search() {
  prefix = typed.search.trim();
  await first();
}

export async function first() {
  cursors = [null];
  await list();
}

export async function forward() {
  cursors.push(state.page.nextCursor);
  await turned();
}

export async function back() {
  cursors.pop();
  await turned();
}

async function turned() {
  await list();
  $('filters').scrollIntoView({ block: 'start' });
  say(state.page.range);
}
