// Which filters are listed, page by page: there may be a hundred thousand.

import { call, look, PATHS } from './api.js';
import { number } from './numbers.js';
import { $, say, state, typed, update } from './state.js';

let prefix = '';
/** Of the pages up to the one that is shown. */
let cursors = [null];

/** Of answers only the one that was asked for last is shown. */
let asked = 0;
let answered = 0;

/** How many are asked for by a click. */
let clicked = 0;

const size = () => Number(typed['page-size']);

const wanted = () => ({ prefix, limit: size(), cursor: cursors.at(-1), figures: true });

/** Lists the page that is wanted, as it is now. */
export async function list() {
  clicked += 1;
  try {
    await show((query) => call('GET', PATHS.list, { query }));
  } finally {
    clicked -= 1;
  }
}

/** Looks whether it has changed. */
export async function refreshList(signal) {
  if (clicked === 0) {
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
  if (filters.length === 0 && cursors.length > 1) {
    // All of it has vanished meanwhile.
    cursors.pop();
    await show(ask);
    return;
  }
  const before = (cursors.length - 1) * size();
  const range = filters.length === 0 ? '' : `Filters ${number(before + 1)} to ${number(before + filters.length)}`;
  update({ page: { filters, nextCursor, prefix, range, isFirst: cursors.length === 1 } });
}

/** What was shown with another key is not shown any more. */
export function forgetList() {
  answered = asked;
  update({ page: null });
}

/** Shows the first page of the names that begin with what is asked for. */
export async function search() {
  prefix = typed.prefix.trim();
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
  $('filters').scrollIntoView({ block: 'nearest' });
  say(state.page.range);
}

/** What the list knows of a filter. */
export const listed = (wantedName) => state.page?.filters.find(({ name }) => name === wantedName);
