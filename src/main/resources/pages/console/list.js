// The list of filters, with what matters of each at a glance.

import { call, PATHS } from './api.js';
import { bytes, fromNow, number, oneIn, percent } from './numbers.js';
import { $, drawing, element, fill } from './page.js';
import { isAbout, ordered } from './order.js';
import { addressOf, state } from './state.js';

const PAGE = 50;
const MOST = 500;
const SOON = 24 * 3600 * 1000;

/** A rate is above the promised one when it is so by more than what rounding may be. */
const TOLERANCE = 1.1;

let cursor = null;
let prefix = '';

/** Lists the first filters whose names begin with what was asked for, as many as are shown. */
export async function list(signal) {
  const shown = Math.min(MOST, Math.max(PAGE, $('rows').children.length));
  const asked = prefix;
  const page = await call('GET', PATHS.list, { signal, query: { prefix, limit: shown, figures: true } });
  if (asked === prefix) {
    // Those beyond, if so many are shown, stay as they are.
    const beyond = page.nextCursor ? ordered([...$('rows').children], 'name').slice(shown) : [];
    place([...page.filters.map(row), ...beyond]);
    cursor = beyond.length > 0 && page.nextCursor ? cursor : page.nextCursor;
    finish();
  }
}

export async function search() {
  prefix = $('prefix').value.trim();
  $('rows').replaceChildren();
  await list();
}

export async function more() {
  const query = { prefix, limit: PAGE, cursor, figures: true };
  const page = await call('GET', PATHS.list, { query });
  place([...$('rows').children, ...page.filters.map(row)]);
  cursor = page.nextCursor;
  finish();
}

function finish() {
  $('more').hidden = !cursor;
  const none = $('rows').children.length === 0;
  $('empty').hidden = !none;
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

function row(filter) {
  let link = linkOf(filter.name);
  if (!link) {
    link = element('a', '');
    link.href = addressOf(filter.name);
    link.dataset.name = filter.name;
    element('li', '', link);
  }
  fill(
    link,
    element('span', 'name', filter.name),
    element('span', 'badges', ...badges(filter)),
    ...gauge(filter),
    element('span', 'about', about(filter)));
  isAbout(link.parentElement, filter);
  return link.parentElement;
}

/** What an operator must know; that a filter is ready only if there is nothing else. */
function badges(filter) {
  const { figures } = filter;
  const all = [];
  if (filter.state !== 'ready') {
    all.push([filter.state, filter.state]);
  }
  if (figures?.source === 'failed') {
    all.push(['damaged', 'source failed']);
  }
  if (isFull(filter)) {
    all.push(['damaged', figures.whenFull === 'reject' ? 'full, refuses' : 'full']);
  }
  if (isAbovePromise(filter)) {
    all.push(['damaged', 'rate above promise']);
  }
  if (figures?.source === 'running') {
    all.push(['creating', 'source running']);
  } else if (figures?.rebuilding) {
    all.push(['creating', 'rebuild open']);
  }
  if (filter.expiresAt && new Date(filter.expiresAt) - Date.now() < SOON) {
    all.push(['creating', `vanishes ${fromNow(filter.expiresAt)}`]);
  }
  return (all.length > 0 ? all : [['ready', 'ready']]).map(([kind, text]) => element('span', `badge ${kind}`, text));
}

function isFull({ figures, expectedInsertions }) {
  return figures != null && figures.fillRatio !== null
    && (figures.approximateElementCount === null || figures.approximateElementCount >= expectedInsertions
      || (figures.whenFull === 'reject' && figures.insertions >= expectedInsertions));
}

function isAbovePromise({ figures, falsePositiveProbability }) {
  return figures != null && figures.estimatedFalsePositiveProbability > TOLERANCE * falsePositiveProbability;
}

/** How much of what it was made for a filter holds; its colour only repeats what badges say. */
function gauge(filter) {
  const { figures } = filter;
  if (!figures || figures.fillRatio === null) {
    return [];
  }
  const share = figures.approximateElementCount === null
    ? 1 : Math.min(1, figures.approximateElementCount / filter.expectedInsertions);
  return [drawing(
    'svg', { class: 'gauge', viewBox: '0 0 1000 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawing('rect', { class: 'track', width: 1000, height: 10 }),
    drawing('rect', { class: isFull(filter) ? 'value over' : 'value', width: Math.round(1000 * share), height: 10 }))];
}

function about(filter) {
  if (filter.state === 'damaged') {
    return 'Part of it is missing in Redis';
  }
  const { figures, expectedInsertions } = filter;
  const parts = [];
  if (figures.fillRatio === null) {
    parts.push(`Adopted, for ${number(expectedInsertions)} elements`);
  } else {
    const held = figures.approximateElementCount;
    parts.push(held === null
      ? `Saturated, made for ${number(expectedInsertions)} elements`
      : `${percent(held / expectedInsertions)} of ${number(expectedInsertions)} elements`);
    const rate = figures.estimatedFalsePositiveProbability;
    parts.push(`${rate > 0 ? `wrong “maybe” ${oneIn(rate)}` : 'no wrong “maybe” yet'}, promised ${oneIn(filter.falsePositiveProbability)}`);
  }
  parts.push(bytes(filter.sizeBytes));
  if (filter.expiresAt && new Date(filter.expiresAt) - Date.now() >= SOON) {
    parts.push(`vanishes ${fromNow(filter.expiresAt)}`);
  }
  return parts.join(' · ');
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
