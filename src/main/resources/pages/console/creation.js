// Renders the form for a new filter.

import { changed, create, creation } from './create.js';
import { command } from './curl.js';
import { field } from './fields.js';
import { goTo } from './filter.js';
import { expiryFields, firstFields, kindFields, sizeFields } from './form.js';
import { KINDS } from './kinds.js';
import { html, repeat } from './lit.js';
import { outcome, sends, submit } from './parts.js';
import { sizing } from './sizes.js';
import { typed } from './state.js';

const RATES = ['10 %', '1 %', '0.1 %', '0.01 %', '0.0001 %'];

const name = {
  id: 'name', label: 'Name', hint: 'Letters, digits and . _ ~ : @ -', isRequired: true, most: 128,
};

const kindCard = ([kind, title, sentence]) => html`
  <label class="kind" for="kind-${kind}">
    <input type="radio" name="kind" id="kind-${kind}" value=${kind} .checked=${typed.kind === kind}>
    <b>${title}</b>
    <small>${sentence}</small>
  </label>`;

/** Replaces each field, so that one does not become another with its text. */
const drawn = (fields) => repeat(fields, ({ id }) => id, (each) => field(each));

export const creationCard = () => html`
  <section id="creation" class="card" aria-labelledby="creation-heading">
    <h1 id="creation-heading" tabindex="-1">New filter</h1>
    <form id="create" novalidate @submit=${sends(create)} @input=${changed} @change=${changed}>
      <fieldset class="kinds">
        <legend class="hidden">Kind</legend>
        ${KINDS.map(kindCard)}
      </fieldset>
      <div class="create-columns">
        <div>
          ${field(name)}
          <div class="pair">${drawn(firstFields())}</div>
          ${drawn(sizeFields())}
          <datalist id="rates">${RATES.map((rate) => html`<option value=${rate}></option>`)}</datalist>
          ${drawn(expiryFields())}
          <div class="pair">${drawn(kindFields())}</div>
          <div class="buttons">
            ${submit('create', 'Create', { kind: 'primary' })}
            <button type="button" data-cancel @click=${() => goTo('#')}>Cancel</button>
            ${outcome('create')}
          </div>
        </div>
        <div>${sizing()}</div>
      </div>
      ${command('create-curl', creation())}
    </form>
  </section>`;
