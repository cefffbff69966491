// The list of filters as it is shown.

import { attempt } from './attempt.js';
import { openCreation } from './create.js';
import { choice } from './fields.js';
import { follow } from './filter.js';
import { back, first, forward, search } from './list.js';
import { guard, html, repeat } from './lit.js';
import { importFile } from './moves.js';
import { sorted, TITLES } from './order.js';
import { button, note, sends, submit } from './parts.js';
import { row } from './row.js';
import { state, typed, update } from './state.js';

const SIZES = ['25', '50', '100', '1000'].map((size) => [size, size]);
const NO_PAGE = { filters: [], isFirst: true };

/** The address does not change when the filter is chosen again, after the form to create one. */
function chooseAgain({ target }) {
  if (target.closest('a')?.dataset.name === state.name) {
    follow();
  }
}

/** Deadlines come nearer by the second; what else there is changes with an answer. */
const rows = (filters) => guard([filters, state.order, state.name, Math.floor(Date.now() / 1000)], () => repeat(
  sorted(filters, state.order), ({ name }) => name, (filter) => row(filter, filter.name === state.name)));

const titleButton = (title) => html`<button type="button" aria-pressed=${title === state.order}
  @click=${() => update({ order: title })}>${title}</button>`;

function emptiness({ filters, prefix }) {
  if (filters.length > 0 || prefix === undefined) {
    return '';
  }
  return prefix ? `No filter begins with “${prefix}”.` : 'There is no filter yet. Create the first one.';
}

export function listing() {
  const page = state.page ?? NO_PAGE;
  const { filters, nextCursor, isFirst, range } = page;
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
        <label for="page-size">Filters a page</label>
        ${choice('page-size', SIZES, { onChange: () => attempt(first) })}
      </div>
      <div class="titles" role="group" aria-label="Sort this page by">${TITLES.map(titleButton)}</div>
      <ul id="rows" class="rows" @click=${chooseAgain}>${rows(filters)}</ul>
      ${note('empty', 'note', emptiness(page))}
      <nav id="pages" class="buttons" aria-label="Pages of the list" ?hidden=${!nextCursor && isFirst}>
        ${button('first', 'First', first, { isOff: isFirst })}
        ${button('back', 'Previous', back, { isOff: isFirst })}
        ${button('forward', 'Next', forward, { isOff: !nextCursor })}
        <span id="range">${range}</span>
      </nav>
    </section>`;
}
