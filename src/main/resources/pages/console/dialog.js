// The dialog before an action: an explanation, fields, and the curl command.

import { command } from './curl.js';
import { field, firstWrong, read } from './fields.js';
import { html, keyed, nothing, repeat } from './lit.js';
import { outcome, sends, submit } from './parts.js';
import { $, state, typed, update } from './state.js';
import { transfer } from './transfer.js';

/** The request with the values of all fields; null while one is invalid. */
function request({ fields, request: requestFor }) {
  const all = fields.map((each) => [each.name, read(each)]);
  return all.some(([, { problem }]) => problem)
    ? null : requestFor(Object.fromEntries(all.map(([name, { value }]) => [name, value])));
}

/**
 * Opens the dialog, which stays open with its values until the action succeeds.
 *
 * @param question `title`, `text`, the word for `yes`, whether it is a `danger`, its `fields`, and a
 *     function that makes the `request` from their values
 * @param work gets the request, and may fail
 * @return the request; null if it was not sent
 */
export function confirmed({ fields = [], ...question }, work) {
  const dialog = $('confirm');
  const asked = { ...question, work, fields: fields.map(ofDialog), touched: new Set() };
  update({ asked });
  dialog.showModal();
  $(asked.fields[0]?.id ?? 'confirm-no').focus();
  return new Promise((resolve) => {
    asked.end = resolve;
  });
}

/** Closes the dialog at once, so that the next click can open another. */
function close(sent = null) {
  const { end } = state.asked;
  $('confirm').close();
  update({ asked: null, outcome: null });
  end(sent);
}

/** The browser fires the event later, when another dialog may be open. */
const closed = () => state.asked && !$('confirm').open && close();

/** Each field of the dialog has its own id, and starts with its `value`. */
function ofDialog({ id, value = '', unit, ...rest }) {
  const its = { ...rest, name: id, id: `ask-${id}`, unit: unit && { ...unit, id: `ask-${unit.id}` } };
  typed[its.id] = value;
  if (unit) {
    typed[its.unit.id] = unit.value;
  }
  return its;
}

async function answer() {
  const { asked } = state;
  if (firstWrong(asked.fields)) {
    asked.fields.forEach(({ id }) => asked.touched.add(id));
    return;
  }
  const wanted = request(asked);
  await asked.work(wanted);
  if (asked === state.asked) {
    close(wanted);
  }
}

/** While a request is in progress, Escape does not close the dialog. */
const keepIfBusy = (event) => state.busy.has('confirm-form') && event.preventDefault();

/** The fields that apply with the values of the others. */
const shownOf = ({ fields }) => fields.filter(({ isShown }) => isShown?.() ?? true);

const content = (asked) => html`
  <form id="confirm-form" novalidate @submit=${sends(answer)}>
    <h2 id="confirm-heading">${asked.title}</h2>
    <p id="confirm-text">${asked.text}</p>
    <div id="confirm-fields" class=${shownOf(asked).length > 4 ? 'pair' : nothing} @input=${({ target }) => asked.touched.add(target.id)}>
      ${repeat(shownOf(asked), ({ id }) => id, (each) => field(each, { isTouched: asked.touched.has(each.id) }))}
    </div>
    ${command('confirm-curl', request(asked))}
    ${transfer()}
    <div class="buttons">
      ${submit('confirm-form', asked.yes, { id: 'confirm-yes', kind: asked.danger ? 'danger' : 'primary' })}
      <button type="button" id="confirm-no" ?disabled=${state.busy.has('confirm-form')} @click=${() => close()}>Cancel</button>
      ${outcome('confirm-form')}
    </div>
  </form>`;

export const dialog = () => html`
  <dialog id="confirm" aria-labelledby="confirm-heading" aria-describedby="confirm-text" @cancel=${keepIfBusy} @close=${closed}>
    ${keyed(state.asked, state.asked ? content(state.asked) : nothing)}
  </dialog>`;
