// Fields that are parsed while they are edited.

import { html, nothing } from './lit.js';
import { $, typed, update } from './state.js';

const written = (input) => ({ file: input.files?.[0] ?? null, checkbox: input.checked })[input.type] ?? input.value;

/** Stores a value by the id of its field, or by the name of a radio button. A key is not stored. */
const note = ({ target }) => target.type !== 'password'
  && Object.assign(typed, { [target.type === 'radio' ? target.name : target.id]: written(target) });

// The value is stored before other handlers run, and the page is rendered after them.
for (const type of ['input', 'change']) {
  document.addEventListener(type, note, true);
  document.addEventListener(type, () => update());
}

export const UNITS = [['60', 'minutes'], ['3600', 'hours'], ['86400', 'days']];

/** Wraps a reader so that an empty field has no value. */
export const orNothing = (reader) => (text, unit) => (text.trim() ? reader(text, unit) : { value: undefined });

/** Readers for the kinds of fields without a reader of their own. */
const READERS = {
  text: (text) => ({ value: text }),
  checkbox: (isSet) => ({ value: Boolean(isSet) }),
  file: (file) => (file ? { value: file } : { problem: 'Choose a file.' }),
};

/** The `value` of a field, or the `problem` with it. */
export const read = ({ id, unit, kind = 'text', read: reader = READERS[kind] }) =>
  reader(typed[id], Number(typed[unit?.id]));

/** Returns the first invalid field, and focuses it. */
export function firstWrong(fields) {
  const wrong = fields.find((each) => read(each).problem);
  if (wrong) {
    $(wrong.id).focus();
  }
  return wrong;
}

/** A list of options. An option may be `isOff`, or require a role. */
export const choice = (id, options, { describedBy = nothing, isOff = false, onChange = nothing } = {}) => html`
  <select id=${id} aria-describedby=${describedBy} ?disabled=${isOff} @change=${onChange}>
    ${options.map(([value, text, more = {}]) => html`<option value=${value} data-needs=${more.needs ?? nothing}
      ?disabled=${more.isOff} .selected=${value === typed[id]}>${text}</option>`)}
  </select>`;

function control({ id, kind = 'text', options, placeholder, isRequired, most, list }, describedBy, isWrong, isOff) {
  if (options) {
    return choice(id, options, { describedBy, isOff });
  }
  if (kind === 'checkbox') {
    return html`<input id=${id} type="checkbox" aria-describedby=${describedBy} .checked=${Boolean(typed[id])}>`;
  }
  if (kind === 'lines') {
    return html`<textarea id=${id} rows="4" spellcheck="false" autocapitalize="none" aria-describedby=${describedBy}
      aria-invalid=${isWrong} .value=${typed[id]}></textarea>`;
  }
  if (kind === 'file') {
    return html`<input id=${id} type="file" aria-describedby=${describedBy} aria-invalid=${isWrong} ?required=${isRequired}>`;
  }
  return html`<input id=${id} .value=${typed[id]} placeholder=${placeholder ?? nothing} maxlength=${most ?? nothing}
    list=${list ?? nothing} ?required=${isRequired} ?disabled=${isOff} autocomplete="off" autocapitalize="none"
    spellcheck="false" aria-describedby=${describedBy} aria-invalid=${isWrong}>`;
}

/**
 * An input with its label, and below it the value that was read, or the problem with it.
 *
 * @param it its `id`, its `label`, how to `read` it and the `words` for its value and text, or a `hint`; a `kind`
 *     other than text, or `options`; for a time its `unit`, with an `id` and a `label`
 * @param isTouched whether to show the problem
 */
export function field(it, { isTouched = true, isOff = false } = {}) {
  const { value, problem } = read(it);
  const isWrong = isTouched && Boolean(problem);
  const hint = isWrong ? problem : problem || !it.words ? it.hint : it.words(value, typed[it.id].trim());
  const describedBy = it.words || it.hint || it.read || it.kind === 'file' ? `${it.id}-hint` : nothing;
  const label = html`<label for=${it.id}>${it.label}</label>`;
  const input = control(it, describedBy, isWrong, isOff);
  const joined = it.unit && html`
    <div class="joined">
      ${input}
      <label class="hidden" for=${it.unit.id}>${it.unit.label}</label>
      ${choice(it.unit.id, it.unit.options ?? UNITS)}
    </div>`;
  return html`
    <div class=${it.kind === 'checkbox' ? 'field check' : 'field'}>
      ${it.kind === 'checkbox' ? [input, label] : [label, joined ?? input]}
      ${describedBy === nothing ? nothing : html`
        <p id=${describedBy} class=${isWrong ? 'hint wrong' : 'hint'} aria-live="polite">${hint}</p>`}
    </div>`;
}
