// The filters of the list: up to 1,000 are loaded at once, and 100 are shown on each page.

import { call, look, PATHS } from './api.js';
import { withExact } from './exact.js';
import { number } from './numbers.js';
import { notePaces } from './pace.js';
import { $, say, showRows, state, typed, update } from './state.js';

export const LIMIT = 1000;

/** The number of rows on a page. */
const ROWS = 100;

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
  const filters = (state.page?.filters ?? []).map(withExact);
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
  notePaces(filters, performance.now());
  update({ page: { filters, nextCursor, prefix, before: (cursors.length - 1) * LIMIT } });
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
  showRows({ offset: 0 });
  if (isPaged()) {
    typing = setTimeout(search, TYPING_PAUSE);
  }
}

async function search() {
  prefix = typed.search.trim();
  await toFirst();
}

async function toFirst() {
  cursors = [null];
  showRows({ offset: 0 });
  await list();
}

/**
 * The rows of the current page, by the number of all rows: the `first` of them, the one after the `last`,
 * and whether there are pages before and after them.
 */
export function pageOf(count) {
  const first = Math.min(state.rows.offset, ROWS * Math.max(0, Math.ceil(count / ROWS) - 1));
  const last = Math.min(count, first + ROWS);
  return {
    first, last, isFirst: first === 0 && !state.page?.before, isLast: last === count && !state.page?.nextCursor };
}

/** The position of the current page in words. */
export function rangeOf(count) {
  const { first, last } = pageOf(count);
  const { before } = state.page;
  const range = `${state.rows.isTree ? 'Rows' : 'Filters'} ${number(before + first + 1)} to ${number(before + last)}`;
  return isPaged() ? range : `${range} of ${number(count)}`;
}

export const first = () => turned(toFirst);

export const forward = (count) => turned(async () => {
  const { last } = pageOf(count);
  if (last < count) {
    showRows({ offset: last });
    return;
  }
  cursors.push(state.page.nextCursor);
  await list();
  showRows({ offset: 0 });
});

export const back = (count) => turned(async () => {
  const { first: begin } = pageOf(count);
  if (begin > 0) {
    showRows({ offset: begin - ROWS });
    return;
  }
  cursors.pop();
  await list();
  // The last page of the filters before, however many they are.
  showRows({ offset: LIMIT });
});

async function turned(turn) {
  await turn();
  $('filters').scrollIntoView({ block: 'start' });
  say($('range').textContent);
}
