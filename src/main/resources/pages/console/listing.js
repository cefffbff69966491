// Renders the list of filters.

import { firstSteps } from './first.js';
import { goTo } from './filter.js';
import { back, first, forward, found, isPaged, searchSoon } from './list.js';
import { guard, html, nothing, repeat } from './lit.js';
import { importFile } from './moves.js';
import { number } from './numbers.js';
import { sorted, TITLES } from './order.js';
import { totals } from './overview.js';
import { button, note, outcome } from './parts.js';
import { row } from './row.js';
import { testFound } from './several.js';
import { state, typed, update } from './state.js';

/** Rendered again after each response, and each second for the expiry. */
const rows = (filters) => guard([filters.length, state.page, typed.search, state.order, Math.floor(Date.now() / 1000)], () => repeat(
  sorted(filters, state.order), ({ name }) => name, row));

function order(title) {
  const isSame = title === state.order.title;
  update({ order: { title, isTurned: isSame && !state.order.isTurned } });
}

/** Names sort ascending first, everything else descending. */
function direction(title) {
  if (title !== state.order.title) {
    return nothing;
  }
  return (title === 'Name') === state.order.isTurned ? 'descending' : 'ascending';
}

const heading = (title) => html`
  <th scope="col" aria-sort=${direction(title)}><button type="button" @click=${() => order(title)}>${title}</button></th>`;

function emptiness(filters, { prefix }) {
  const wanted = prefix || typed.search.trim();
  return filters.length === 0 && wanted ? `No filter name ${prefix ? 'begins with' : 'contains'} “${wanted}”.` : '';
}

const table = (filters) => html`
  <div class="table">
    <table id="list" ?hidden=${filters.length === 0}>
      <caption class="hidden">Filters of this service</caption>
      <thead><tr>${TITLES.map(heading)}</tr></thead>
      <tbody id="rows">${rows(filters)}</tbody>
    </table>
  </div>`;

function pages({ nextCursor, isFirst, range }) {
  return html`
    <nav id="pages" class="buttons" aria-label="Pages of the list" ?hidden=${!nextCursor && isFirst}>
      ${button('first', 'First', first, { isOff: isFirst })}
      ${button('back', 'Previous', back, { isOff: isFirst })}
      ${button('forward', 'Next', forward, { isOff: !nextCursor })}
      <span id="range">${range}</span>
      <span class="hint">Each page has up to ${number(1000)} filters. Sorting applies to one page; search matches the start of the name.</span>
    </nav>`;
}

export function listing() {
  const { page } = state;
  const filters = found();
  const isEmpty = page !== null && !isPaged() && page.filters.length === 0;
  const label = isPaged() ? 'Search by the start of the name' : 'Search by name';
  return html`
    <section id="filters" aria-labelledby="filters-heading" tabindex="-1">
      <div class="head">
        <h1 id="filters-heading">Filters</h1>
        <label class="hidden" for="search">${label}</label>
        <input id="search" type="search" placeholder=${isPaged() ? 'Begins with …' : 'Search by name'} maxlength="128" autocomplete="off"
          spellcheck="false" .value=${typed.search} @input=${searchSoon}>
        ${totals()}
        <button type="button" id="test-several" @click=${testFound}>Test in several</button>
        ${button('import-new', 'Import …', importFile, { needs: 'admin' })}
        <button type="button" id="new" class="primary" data-needs="admin" @click=${() => goTo('#new')}>New filter</button>
        ${outcome('delete')}
      </div>
      ${isEmpty || state.first.step > 0 ? firstSteps() : nothing}
      ${table(filters)}
      ${note('empty', 'note', page ? emptiness(filters, page) : '')}
      ${pages(page ?? { isFirst: true })}
    </section>`;
}
