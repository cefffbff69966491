// A question before something is done: what it does, what it needs to know, and the same by curl.

import { command } from './curl.js';
import { field, firstWrong, read } from './fields.js';
import { html, keyed, nothing } from './lit.js';
import { $, state, typed, update } from './state.js';

/** What all fields say as a request; null while one of them is not understood. */
function request({ fields, request: requestFor }) {
  const all = fields.map((each) => [each.name, read(each)]);
  return all.some(([, { problem }]) => problem)
    ? null : requestFor(Object.fromEntries(all.map(([name, { value }]) => [name, value])));
}

/**
 * Asks.
 *
 * @param question `title`, `text`, the word for `yes`, whether it is a `danger`, its `fields`, and the
 *     `request` that follows from their values
 * @return the request; null if it shall not be sent
 */
export function confirmed({ fields = [], ...question }) {
  const dialog = $('confirm');
  const asked = { ...question, fields: fields.map(ofDialog), touched: new Set() };
  update({ asked });
  dialog.returnValue = '';
  dialog.showModal();
  $(asked.fields[0]?.id ?? 'confirm-no').focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes' ? request(asked) : null), { once: true });
  });
}

/** A field of the dialog has an id of its own, and begins with its `value`. */
function ofDialog({ id, value = '', unit, ...rest }) {
  const its = { ...rest, name: id, id: `ask-${id}`, unit: unit && { ...unit, id: `ask-${unit.id}` } };
  typed[its.id] = value;
  if (unit) {
    typed[its.unit.id] = unit.value;
  }
  return its;
}

/** A dialog that is closed is gone, with what is wrong in it. */
function confirm(event) {
  const { fields, touched } = state.asked;
  if (firstWrong(fields)) {
    event.preventDefault();
    fields.forEach(({ id }) => touched.add(id));
    update();
  }
}

export function dialog() {
  const { asked } = state;
  return html`
    <dialog id="confirm" aria-labelledby="confirm-heading" aria-describedby="confirm-text">
      <form method="dialog">
        <h2 id="confirm-heading">${asked?.title}</h2>
        <p id="confirm-text">${asked?.text}</p>
        <div id="confirm-fields" @input=${({ target }) => asked.touched.add(target.id)}>
          ${keyed(asked, asked?.fields.map((each) => field(each, { isTouched: asked.touched.has(each.id) })))}
        </div>
        ${command('confirm-curl', asked && request(asked))}
        <div class="buttons">
          <button type="submit" value="yes" id="confirm-yes" class=${asked?.danger ? 'danger' : 'primary'} @click=${confirm}>
            ${asked?.yes ?? nothing}</button>
          <button type="submit" value="no" id="confirm-no">Cancel</button>
        </div>
      </form>
    </dialog>`;
}
