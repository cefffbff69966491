// The list of filters, page by page: there may be a hundred thousand.

import { call, look, PATHS } from './api.js';
import { number, timeOfDay } from './numbers.js';
import { $, enable, say } from './page.js';
import { row } from './row.js';
import { state } from './state.js';

let prefix = '';
/** Of the pages up to the one that is shown. */
let cursors = [null];
let next = null;

const size = () => Number($('page-size').value);

/** Of answers only the one that was asked for last is shown. */
let asked = 0;
let answered = 0;
let shown = null;

/** How many are asked for by a click; an order of many filters takes longer than a look may. */
let clicked = 0;

const wanted = () => ({ prefix, sort: $('sort').value, limit: size(), cursor: cursors.at(-1), figures: true });

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
  const page = await ask(query);
  const isWanted = Object.entries(wanted()).every(([parameter, value]) => query[parameter] === value);
  if (!isWanted || question < answered) {
    return;
  }
  answered = question;
  if (page.filters.length === 0 && cursors.length > 1) {
    // All of it has vanished meanwhile.
    cursors.pop();
    await show(ask);
    return;
  }
  render(page);
}

/** Of a page that has not changed only the deadlines come nearer. */
function render(page) {
  if (page === shown) {
    page.filters.filter(({ expiresAt }) => expiresAt).forEach((filter) => row(filter, linkOf(filter.name)));
    return;
  }
  shown = page;
  place(page.filters.map((filter) => row(filter, linkOf(filter.name))));
  next = page.nextCursor;
  finish(page.orderedAt);
}

/** What was shown with another key is not shown any more. */
export function forgetList() {
  answered = asked;
  shown = null;
  $('rows').replaceChildren();
}

/** Shows the first page of the names that begin with what is asked for. */
export async function search() {
  prefix = $('prefix').value.trim();
  cursors = [null];
  await list();
}

export async function first() {
  cursors = [null];
  await list();
}

export async function forward() {
  cursors.push(next);
  await turned();
}

export async function back() {
  cursors.pop();
  await turned();
}

async function turned() {
  await list();
  $('filters').scrollIntoView({ block: 'nearest' });
  say($('range').textContent);
}

function finish(orderedAt) {
  const count = $('rows').children.length;
  const before = (cursors.length - 1) * size();
  $('range').textContent = count === 0 ? '' : `Filters ${number(before + 1)} to ${number(before + count)}`;
  $('ordered').hidden = !orderedAt;
  $('ordered').textContent = orderedAt
    ? `In the order of ${timeOfDay(new Date(orderedAt))}: of so many filters it is found now and then.` : '';
  $('pages').hidden = !next && cursors.length === 1;
  enable('first', cursors.length > 1);
  enable('back', cursors.length > 1);
  enable('forward', Boolean(next));
  $('empty').hidden = count > 0;
  $('empty').textContent = prefix
    ? `No filter begins with “${prefix}”.`
    : 'There is no filter yet. Create the first one.';
  markCurrent();
}

/** Shows the first page in the order that is chosen; by name if the service refuses that. */
export async function sort() {
  cursors = [null];
  try {
    await list();
  } catch (problem) {
    $('sort').value = 'name';
    await list();
    throw problem;
  }
}

/** Keeps what is there already where it is, so that nothing flickers and the focus stays. */
function place(rows) {
  const now = [...$('rows').children];
  if (now.length !== rows.length || now.some((item, index) => item !== rows[index])) {
    const focused = document.activeElement;
    $('rows').replaceChildren(...rows);
    if ($('rows').contains(focused)) {
      focused.focus();
    }
  }
}

export function linkOf(name) {
  return [...$('rows').querySelectorAll('a')].find((link) => link.dataset.name === name);
}

export function markCurrent() {
  for (const link of $('rows').querySelectorAll('a')) {
    if (link.dataset.name === state.name) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
}
