// The form for a new filter, sized while it is filled in.

import { changed, counts, create, creation, FIELDS, forgets, grows } from './create.js';
import { command } from './curl.js';
import { field } from './fields.js';
import { follow } from './filter.js';
import { html } from './lit.js';
import { sends, submit } from './parts.js';
import { sizing } from './sizes.js';

const RATES = ['0.1', '0.01', '0.001', '0.0001', '0.000001'];

const name = {
  id: 'name', label: 'Name', hint: 'Letters, digits and . _ ~ : @ -', isRequired: true, most: 128,
};
const counting = {
  id: 'counting', label: 'Can elements be removed?', hint: 'Takes four times the memory',
  options: [['no', 'No'], ['yes', 'Yes, by counters in place of bits']],
};
const whenFull = () => ({
  id: 'when-full', label: 'When it holds that many',
  options: [
    ['accept', 'Take more, at a rising rate'],
    ['reject', 'Refuse new elements'],
    ['grow', 'Grow by layers, at the same rate', { isOff: counts() }],
  ],
});

/** What counts does not forget, and what forgets neither counts nor grows. */
export const creationCard = (isHidden) => html`
  <section id="creation" class="card" aria-labelledby="creation-heading" ?hidden=${isHidden}>
    <h2 id="creation-heading" tabindex="-1">New filter</h2>
    <form id="create" novalidate @submit=${sends(create)} @input=${changed} @change=${changed}>
      ${field(name)}
      <div class="pair">
        ${field(FIELDS.expected)}
        ${field(FIELDS.rate)}
        <datalist id="rates">${RATES.map((rate) => html`<option value=${rate}></option>`)}</datalist>
      </div>
      ${sizing()}
      <div class="pair">
        ${field(whenFull(), { isOff: forgets() })}
        ${field(FIELDS.ttl)}
      </div>
      <div class="pair">
        ${field(FIELDS.remembered, { isOff: counts() })}
        ${field(counting, { isOff: forgets() })}
      </div>
      <div id="growth" class="pair" ?hidden=${!grows()}>
        ${field(FIELDS.factor)}
        ${field(FIELDS.mostBytes)}
      </div>
      ${command('create-curl', creation())}
      <div class="buttons">
        ${submit('create', 'Create', { kind: 'primary' })}
        <button type="button" data-cancel @click=${follow}>Cancel</button>
      </div>
    </form>
  </section>`;
