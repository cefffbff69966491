// The list of filters, page by page: there may be a hundred thousand.

import { call, look, PATHS } from './api.js';
import { number } from './numbers.js';
import { $, enable, say } from './page.js';
import { ordered } from './order.js';
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

/** Lists the page that is shown: as it is now, or as a look that may be ended by a signal. */
export async function list(signal) {
  const question = (asked += 1);
  const query = { prefix, limit: size(), cursor: cursors.at(-1), figures: true };
  const isWanted = () => question > answered
    && prefix === query.prefix && size() === query.limit && cursors.at(-1) === query.cursor;
  const page = await (signal ? look(PATHS.list, { signal, query }) : call('GET', PATHS.list, { query }));
  if (!isWanted()) {
    return;
  }
  answered = question;
  if (page.filters.length === 0 && cursors.length > 1) {
    // All of it has vanished meanwhile.
    cursors.pop();
    await list(signal);
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
  finish();
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

function finish() {
  const count = $('rows').children.length;
  const before = (cursors.length - 1) * size();
  $('range').textContent = count === 0 ? '' : `Filters ${number(before + 1)} to ${number(before + count)}`;
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

export function sort() {
  place([...$('rows').children]);
}

/** Keeps what is there already where it is, so that nothing flickers and the focus stays. */
function place(all) {
  const rows = ordered(all, $('sort').value);
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
