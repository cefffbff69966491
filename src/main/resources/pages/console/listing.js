// Renders the list of filters.

import { chosenBar, toggleChoice } from './chosen.js';
import { firstSteps } from './first.js';
import { goTo } from './filter.js';
import { back, first, forward, found, isPaged, LIMIT, pageOf, rangeOf, searchSoon } from './list.js';
import { guard, html, nothing, repeat } from './lit.js';
import { importFile } from './moves.js';
import { number } from './numbers.js';
import { sorted, TITLES } from './order.js';
import { totals } from './overview.js';
import { button, note, outcome } from './parts.js';
import { filterRow, folderRow } from './row.js';
import { testFound } from './several.js';
import { showRows, state, typed, update } from './state.js';
import { treeOf } from './tree.js';

/** The rows of all pages. While a search is on, all folders are open. */
function rowsOf(filters) {
  const ranked = sorted(filters, state.order);
  const { isTree, open } = state.rows;
  return isTree ? treeOf(ranked, (folder) => typed.search.trim() !== '' || open.has(folder)) : ranked.map((filter) => ({ filter }));
}

const keyOf = ({ folder, filter }) => folder ?? filter.name;

/** Rendered again after each response, and each second for the expiry. */
const body = (rows, { first: begin, last }) => guard(
  [rows.length, state.page, typed.search, state.order, state.rows, Math.floor(Date.now() / 1000)],
  () => repeat(rows.slice(begin, last), keyOf, (row) => (row.folder ? folderRow : filterRow)(row)));

function order(title) {
  const isSame = title === state.order.title;
  update({ order: { title, isTurned: isSame && !state.order.isTurned }, rows: { ...state.rows, offset: 0 } });
}

/** Names sort ascending first, everything else descending. */
function direction(title) {
  if (title !== state.order.title) {
    return nothing;
  }
  return (title === 'Name') === state.order.isTurned ? 'descending' : 'ascending';
}

const CLASSES = {
  'Kind': 'kind', 'Elements': 'figures-cell', 'False positives': 'rate', 'New/s': 'pace', 'Size': 'size', 'Expires': 'expiry', 'State': 'badges',
};

const heading = (title) => html`
  <th scope="col" class=${CLASSES[title] ?? nothing} aria-sort=${direction(title)}><button type="button" @click=${() => order(title)}>${title}</button></th>`;

function emptiness(filters, { prefix }) {
  const wanted = prefix || typed.search.trim();
  return filters.length === 0 && wanted ? `No filter name ${prefix ? 'begins with' : 'contains'} “${wanted}”.` : '';
}

const table = (rows, page) => html`
  <div class="table">
    <table id="list" ?hidden=${rows.length === 0}>
      <caption class="hidden">Filters of this service</caption>
      <thead><tr>${state.rows.chosen ? html`<td class="choose"></td>` : nothing}${TITLES.map(heading)}</tr></thead>
      <tbody id="rows">${body(rows, page)}</tbody>
    </table>
  </div>`;

function pages(count) {
  const { isFirst, isLast } = pageOf(count);
  return html`
    <nav id="pages" class="buttons" aria-label="Pages of the list" ?hidden=${isFirst && isLast}>
      ${button('first', 'First', first, { isOff: isFirst })}
      ${button('back', 'Previous', () => back(count), { isOff: isFirst })}
      ${button('forward', 'Next', () => forward(count), { isOff: isLast })}
      <span id="range">${count > 0 ? rangeOf(count) : ''}</span>
      <span class="hint" ?hidden=${!isPaged()}>Search matches the start of the name. Sorting and the tree apply to ${number(LIMIT)} filters at a time.</span>
    </nav>`;
}

const toggled = (id, label, isOn, work, needs) => html`
  <button type="button" id=${id} aria-pressed=${isOn} data-needs=${needs ?? nothing} @click=${work}>${label}</button>`;

export function listing() {
  const { page } = state;
  const filters = found();
  const rows = rowsOf(filters);
  const isEmpty = page !== null && !isPaged() && page.filters.length === 0;
  const label = isPaged() ? 'Search by the start of the name' : 'Search by name';
  return html`
    <section id="filters" aria-labelledby="filters-heading" tabindex="-1">
      <div class="head">
        <h1 id="filters-heading">Filters</h1>
        ${totals()}
      </div>
      <div class="head">
        <label class="hidden" for="search">${label}</label>
        <input id="search" type="search" placeholder=${isPaged() ? 'Begins with …' : 'Search by name'} maxlength="128" autocomplete="off"
          spellcheck="false" .value=${typed.search} @input=${searchSoon}>
        <div class="tools">
          ${toggled('tree', 'Tree', state.rows.isTree, () => showRows({ isTree: !state.rows.isTree, offset: 0 }))}
          ${toggled('choose', 'Choose', Boolean(state.rows.chosen), toggleChoice, 'admin')}
          <button type="button" id="test-several" @click=${testFound}>Test in several</button>
          ${button('import-new', 'Import …', importFile, { needs: 'admin' })}
        </div>
        <button type="button" id="new" class="primary" data-needs="admin" @click=${() => goTo('#new')}>New filter</button>
        ${outcome('delete')}
      </div>
      ${isEmpty || state.first.step > 0 ? firstSteps() : nothing}
      ${chosenBar(filters)}
      ${table(rows, pageOf(rows.length))}
      ${note('empty', 'note', page ? emptiness(filters, page) : '')}
      ${pages(rows.length)}
    </section>`;
}
