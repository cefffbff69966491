// Testing elements against several filters.

import { numberOf, SHOWN } from './answers.js';
import { PATHS, Problem, send } from './api.js';
import { command } from './curl.js';
import { elements, elementsField, encodingChoice, someElements } from './elements.js';
import { choice, field, firstWrong, read } from './fields.js';
import { goTo } from './filter.js';
import { found } from './list.js';
import { guard, html, nothing } from './lit.js';
import { readNames } from './names.js';
import { number } from './numbers.js';
import { outcome, sends, submit } from './parts.js';
import { $, state, typed, update } from './state.js';

const MOST = 100;

const NAMES = {
  id: 'several-names', label: 'Filters', kind: 'lines', read: readNames(MOST),
  words: (names) => (names.length === 1 ? 'One filter' : `${number(names.length)} filters`),
};
const MISSING = { id: 'several-missing', label: 'Leave out filters that do not exist', kind: 'checkbox' };

Object.assign(typed, { 'several-names': '', 'several-missing': false, 'several-pick': '' });

/** The address of the form, for links and bookmarks. */
const addressFor = (names) =>
  (names.length > 0 ? `#test?${new URLSearchParams(names.map((name) => ['filter', name]))}` : '#test');

/** Opens the form with the filters that the list shows for its search. */
export function testFound() {
  const names = typed.search.trim() ? found().map(({ name }) => name) : [];
  return goTo(addressFor(names.length > MOST ? [] : names));
}

/** Shows the form with the filters of its address. */
export function openSeveral(values) {
  typed['several-names'] = new URLSearchParams(values).getAll('filter').join('\n');
  update({ view: 'several', several: null });
  $(typed['several-names'] ? 'text' : 'several-names').focus();
}

const named = () => read(NAMES).value ?? [];

const keepAddress = () => history.replaceState(null, '', addressFor(named()));

/** Adds the selected name. */
function pick({ target }) {
  typed['several-names'] = [typed['several-names'].trim(), target.value].filter(Boolean).join('\n');
  typed['several-pick'] = '';
  target.value = '';
  keepAddress();
}

/** The names in the list that are not selected yet. */
const picked = () => choice(
  'several-pick',
  [['', 'Add a filter …'], ...(state.page?.filters ?? [])
    .map(({ name }) => name).filter((name) => !named().includes(name)).map((name) => [name, name])],
  { onChange: pick });

const requestFor = (filters, some) => ({
  method: 'POST', path: PATHS.several, query: { missing: typed['several-missing'] ? 'ignore' : null },
  body: { filters, elements: some, encoding: typed.encoding },
});

async function test() {
  const wrong = firstWrong([NAMES]);
  if (wrong) {
    throw new Problem('The filters are not valid', read(wrong).problem);
  }
  const some = someElements();
  update({ several: { elements: some, answer: await send(requestFor(named(), some)) } });
}

const flag = (isMaybe) => html`<td class=${isMaybe ? 'maybe' : 'no'}>${isMaybe ? 'maybe' : 'no'}</td>`;

function table({ elements: some, answer: { mightContain, any, all, missing = [] } }) {
  const filters = Object.keys(mightContain);
  return html`
    <p class="note">${numberOf(any)} of ${number(some.length)} might be in a filter, ${numberOf(all)} in all of them.
      “No” is never wrong; “maybe” can be a false positive.
      ${missing.length > 0 ? html`<b>These filters do not exist: ${missing.join(', ')}.</b>` : nothing}
      ${some.length > SHOWN ? `The first ${SHOWN} elements are shown.` : nothing}</p>
    <div class="table" tabindex="0" role="group" aria-label="Answers by element and filter">
      <table class="several">
        <thead><tr>${['Element', 'Any', 'All', ...filters].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>${some.slice(0, SHOWN).map((text, index) => html`
          <tr><th scope="row">${text}</th>${[any, all, ...Object.values(mightContain)].map((flags) => flag(flags[index]))}</tr>`)}</tbody>
      </table>
    </div>`;
}

export function severalCard() {
  const { value: filters } = read(NAMES);
  const some = elements();
  return html`
    <section class="card" id="in-several" aria-labelledby="several-heading">
      <h1 id="several-heading" tabindex="-1">Test in several filters</h1>
      <div class="halves">
        <form id="several" novalidate @submit=${sends(test)} @input=${keepAddress}>
          ${field(NAMES, { isTouched: typed['several-names'] !== '' })}
          <div class="field">
            <label class="hidden" for="several-pick">Add a filter from the list</label>
            ${picked()}
          </div>
          ${field(MISSING)}
          ${elementsField()}
          <div class="buttons">
            ${submit('several', 'Test', { kind: 'primary' })}
            ${encodingChoice()}
            <button type="button" data-cancel @click=${() => goTo('#')}>Close</button>
            ${outcome('several')}
          </div>
        </form>
        <div id="several-answers" aria-live="polite">
          ${state.several
            ? guard([state.several], () => table(state.several))
            : html`<p class="note">The results will appear here, for each element and filter.</p>`}
        </div>
      </div>
      ${command('several-curl', filters && some.length > 0 ? requestFor(filters, some) : null)}
    </section>`;
}
