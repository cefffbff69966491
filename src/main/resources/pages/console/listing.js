// The list of filters as it is shown.

import { attempt } from './attempt.js';
import { openCreation } from './create.js';
import { choice } from './fields.js';
import { follow } from './filter.js';
import { back, first, forward, search, sort } from './list.js';
import { guard, html, repeat } from './lit.js';
import { importFile } from './moves.js';
import { timeOfDay } from './numbers.js';
import { button, note, sends, submit } from './parts.js';
import { row } from './row.js';
import { state, typed } from './state.js';

const ORDERS = [
  ['name', 'name'], ['state', 'trouble first'], ['fill', 'fullest first'], ['rate', 'rate against promise'],
  ['elements', 'most elements first'], ['memory', 'largest first'], ['deadline', 'first to vanish'],
];
const SIZES = ['25', '50', '100', '500'].map((size) => [size, size]);
const TITLES = ['Name', 'Holds', 'Strangers let through', 'Memory', 'Deadline', 'State'];
const NO_PAGE = { filters: [], isFirst: true };

/** The address does not change when the filter is chosen again, after the form to create one. */
function chooseAgain({ target }) {
  if (target.closest('a')?.dataset.name === state.name) {
    follow();
  }
}

/** Deadlines come nearer by the second; what else there is changes with an answer. */
const rows = (filters) => guard([filters, state.name, Math.floor(Date.now() / 1000)], () => repeat(
  filters, ({ name }) => name, (filter) => row(filter, filter.name === state.name)));

function emptiness({ filters, prefix }) {
  if (filters.length > 0 || prefix === undefined) {
    return '';
  }
  return prefix ? `No filter begins with “${prefix}”.` : 'There is no filter yet. Create the first one.';
}

export function listing() {
  const page = state.page ?? NO_PAGE;
  const { filters, nextCursor, orderedAt, isFirst, range } = page;
  return html`
    <section id="filters" class="card list" aria-labelledby="filters-heading" tabindex="-1">
      <div class="head">
        <h2 id="filters-heading">Filters</h2>
        ${button('import-new', 'Import …', importFile, { needs: 'admin' })}
        <button type="button" id="new" class="primary" data-needs="admin" @click=${openCreation}>New filter</button>
      </div>
      <form id="search" role="search" @submit=${sends(search)}>
        <label class="hidden" for="prefix">Names that begin with</label>
        <input id="prefix" type="search" placeholder="Begins with …" maxlength="128" autocomplete="off" spellcheck="false"
          .value=${typed.prefix}>
        ${submit('search', 'Show')}
      </form>
      <div class="sort">
        <label for="sort">Order</label>
        ${choice('sort', ORDERS, { onChange: () => attempt(sort) })}
        <label for="page-size">Filters a page</label>
        ${choice('page-size', SIZES, { onChange: () => attempt(first) })}
      </div>
      <p class="titles" aria-hidden="true">${TITLES.map((title) => html`<span>${title}</span>`)}</p>
      <ul id="rows" class="rows" @click=${chooseAgain}>${rows(filters)}</ul>
      ${note('empty', 'note', emptiness(page))}
      ${note('ordered', 'hint', orderedAt
        && `In the order of ${timeOfDay(new Date(orderedAt))}: of so many filters it is found now and then.`)}
      <nav id="pages" class="buttons" aria-label="Pages of the list" ?hidden=${!nextCursor && isFirst}>
        ${button('first', 'First', first, { isOff: isFirst })}
        ${button('back', 'Previous', back, { isOff: isFirst })}
        ${button('forward', 'Next', forward, { isOff: !nextCursor })}
        <span id="range">${range}</span>
      </nav>
    </section>`;
}
