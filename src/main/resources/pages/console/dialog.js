// A question before something is done: what it does, what it needs to know, and the same by curl.

import { showCurl } from './curl.js';
import { $, element } from './page.js';

let fields = [];
let question = null;

/** An input with its label and a hint that says what was understood. */
function field({ id, label, kind = 'text', value = '', options, hint = '', read = (text) => ({ value: text }), words = () => hint }) {
  const input = element(kind === 'select' ? 'select' : 'input', '');
  input.id = `ask-${id}`;
  const note = element('p', 'hint', hint);
  note.id = `ask-${id}-hint`;
  input.setAttribute('aria-describedby', note.id);
  if (kind === 'select') {
    input.append(...options.map(([choice, text]) => new Option(text, choice, choice === value, choice === value)));
  } else {
    Object.assign(input, { type: kind === 'text' ? 'text' : kind, autocomplete: 'off', spellcheck: false });
  }
  if (kind === 'text') {
    input.value = value;
  }
  const name = element('label', '', label);
  name.htmlFor = input.id;
  const box = element('div', kind === 'checkbox' ? 'field check' : 'field', ...(kind === 'checkbox' ? [input, name] : [name, input]), note);
  const raw = () => ({ checkbox: input.checked, file: input.files?.[0] })[kind] ?? input.value;
  const understood = (all) => {
    if (kind === 'file') {
      return input.files[0] ? { value: input.files[0] } : { problem: 'Choose a file.' };
    }
    return kind === 'checkbox' ? { value: input.checked } : read(raw(), all);
  };
  const show = (isTouched, all) => {
    const { value: given, problem } = understood(all);
    const isWrong = Boolean(problem) && isTouched;
    note.textContent = isWrong ? problem : problem ? hint : words(given);
    note.classList.toggle('wrong', isWrong);
    input.setAttribute('aria-invalid', String(isWrong));
    return { value: given, problem };
  };
  return { id, box, input, show, raw };
}

/** What all fields say, or null; then the first that is wrong says why, and has the focus. */
function values(isAsked) {
  const raw = Object.fromEntries(fields.map((each) => [each.id, each.raw()]));
  let wrong = null;
  const all = {};
  for (const each of fields) {
    const { value, problem } = each.show(isAsked || each.isTouched, raw);
    all[each.id] = value;
    wrong ??= problem ? each : null;
  }
  if (wrong && isAsked) {
    wrong.input.focus();
  }
  return wrong ? null : all;
}

function update(isAsked = false) {
  const all = values(isAsked);
  const request = all && question.request(all);
  showCurl('confirm-curl', request);
  return request;
}

/**
 * Asks.
 *
 * @param asked `title`, `text`, the word for `yes`, whether it is a `danger`, its `fields`, and the
 *     `request` that follows from their values
 * @return the request; null if it shall not be sent
 */
export function confirmed(asked) {
  const dialog = $('confirm');
  question = asked;
  fields = (asked.fields ?? []).map(field);
  $('confirm-heading').textContent = asked.title;
  $('confirm-text').textContent = asked.text;
  $('confirm-fields').replaceChildren(...fields.map(({ box }) => box));
  $('confirm-yes').textContent = asked.yes;
  $('confirm-yes').className = asked.danger ? 'danger' : 'primary';
  dialog.returnValue = '';
  update();
  dialog.showModal();
  (fields[0]?.input ?? $('confirm-no')).focus();
  return new Promise((resolve) => {
    dialog.addEventListener(
      'close', () => resolve(dialog.returnValue === 'yes' ? update(true) : null), { once: true });
  });
}

$('confirm-fields').addEventListener('input', ({ target }) => {
  fields.filter(({ input }) => input === target).forEach((each) => Object.assign(each, { isTouched: true }));
  update();
});
$('confirm-yes').addEventListener('click', (event) => {
  // Else the dialog would be closed, and what is wrong in it gone.
  if (!update(true)) {
    event.preventDefault();
  }
});
