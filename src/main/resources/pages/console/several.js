// Testing elements against several filters, and adding them.

import { numberOf, SHOWN } from './answers.js';
import { PATHS, Problem, send } from './api.js';
import { command } from './curl.js';
import { byLine, elements, elementsField, encodingChoice, forgetEncoding, someElements } from './elements.js';
import { choice, field, firstWrong, read } from './fields.js';
import { goTo } from './filter.js';
import { found } from './list.js';
import { guard, html, nothing } from './lit.js';
import { readNames } from './names.js';
import { number } from './numbers.js';
import { outcome, sends, submit } from './parts.js';
import { $, placeIn, state, typed, update } from './state.js';

const MOST = 100;

const NAMES = {
  id: 'several-names', label: 'Filters', kind: 'lines', read: readNames(MOST),
  words: (names) => (names.length === 1 ? 'One filter' : `${number(names.length)} filters`),
};
const MISSING = { id: 'several-missing', label: 'Leave out filters that do not exist, when testing', kind: 'checkbox' };

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
  forgetEncoding();
  typed['several-names'] = new URLSearchParams(values).getAll('filter').join('\n');
  update({ view: 'several', several: null });
  $(typed['several-names'] ? 'text' : 'several-names').focus();
}

const named = () => read(NAMES).value ?? [];

function keepAddress() {
  // A field reports a change when the browser leaves the form, too.
  if (placeIn(location.hash).view === 'several') {
    history.replaceState(null, '', addressFor(named()));
  }
}

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

const requestFor = (verb, filters, some) => ({
  method: 'POST',
  path: verb === 'add' ? PATHS.addSeveral : PATHS.several,
  query: { missing: verb === 'test' && typed['several-missing'] ? 'ignore' : null },
  body: { filters, elements: some, encoding: typed.encoding },
});

async function ask(verb) {
  const wrong = firstWrong([NAMES]);
  if (wrong) {
    throw new Problem('The filters are not valid', read(wrong).problem);
  }
  const some = someElements();
  update({ several: { elements: some, answer: await byLine(send(requestFor(verb, named(), some))) } });
}

/** A class and a word for each flag. */
const TESTED = { true: ['maybe', 'maybe'], false: ['no', 'no'] };
const ADDED = { true: ['new', 'new'], false: ['known', 'known'] };

const flag = ([kind, word]) => html`<td class=${kind}>${word}</td>`;

/** A row for each element, with a column for each filter after its `more` columns. */
const table = (some, byFilter, words, more = {}) => html`
  <div class="table" tabindex="0" role="group" aria-label="Answers by element and filter">
    <table class=${Object.keys(more).length > 0 ? 'several tested' : 'several'}>
      <thead><tr>${['Element', ...Object.keys(more), ...Object.keys(byFilter)].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${some.slice(0, SHOWN).map((text, index) => html`
        <tr><th scope="row">${text}</th>${
          [...Object.values(more), ...Object.values(byFilter)].map((flags) => flag(words[flags[index]]))}</tr>`)}</tbody>
    </table>
  </div>`;

const shownOf = (some) => (some.length > SHOWN ? `The first ${SHOWN} elements are shown.` : nothing);

const tested = (some, { mightContain, any, all, missing = [] }) => html`
  <p class="note">${numberOf(any)} of ${number(some.length)} might be in a filter, ${numberOf(all)} in all of them.
    “No” is never wrong; “maybe” can be a false positive.
    ${missing.length > 0 ? html`<b>These filters do not exist: ${missing.join(', ')}.</b>` : nothing}
    ${shownOf(some)}</p>
  ${table(some, mightContain, TESTED, { Any: any, All: all })}`;

const added = (some, byFilter) => html`
  <p class="note">All filters now have the elements. “Known” means already there, or a false positive. ${shownOf(some)}</p>
  ${table(some, byFilter, ADDED)}`;

const results = ({ elements: some, answer }) => (answer.added ? added(some, answer.added) : tested(some, answer));

const line = (verb, filters, some, needs) => command(
  `several-${verb}-curl`, filters && some.length > 0 ? requestFor(verb, filters, some) : null, { label: `curl: ${verb}`, needs });

export function severalCard() {
  const { value: filters } = read(NAMES);
  const some = elements();
  return html`
    <section class="card" id="in-several" aria-labelledby="several-heading">
      <h1 id="several-heading" tabindex="-1">Test and add in several filters</h1>
      <div class="halves">
        <form id="several" novalidate @submit=${sends((button) => ask(button?.value ?? 'test'))} @input=${keepAddress}>
          ${field(NAMES, { isTouched: typed['several-names'] !== '' })}
          <div class="field">
            <label class="hidden" for="several-pick">Add a filter from the list</label>
            ${picked()}
          </div>
          ${field(MISSING)}
          ${elementsField()}
          <div class="buttons">
            ${submit('several', 'Test', { kind: 'primary', value: 'test' })}
            ${submit('several', 'Add', { value: 'add', needs: 'writer' })}
            ${encodingChoice()}
            <button type="button" data-cancel @click=${() => goTo('#')}>Close</button>
            ${outcome('several')}
          </div>
        </form>
        <div id="several-answers" aria-live="polite">
          ${state.several
            ? guard([state.several], () => results(state.several))
            : html`<p class="note">The results will appear here, for each element and filter.</p>`}
        </div>
      </div>
      ${line('test', filters, some)}
      ${line('add', filters, some, 'writer')}
    </section>`;
}
