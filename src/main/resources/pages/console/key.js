// The API key, which this tab keeps until it is closed.

import { key } from './api.js';
import { html } from './lit.js';
import { $, state, update } from './state.js';

export function askForKey(keyReason) {
  const dialog = $('key-dialog');
  $('key').value = '';
  update({ keyReason });
  if (!dialog.open) {
    dialog.returnValue = 'cancel';
    dialog.showModal();
  }
}

/** Takes what the dialog was left with, and calls what is to be done once there is another key, or none. */
function closed(dialog, onOther) {
  const given = $('key').value.trim();
  $('key').value = '';
  if (dialog.returnValue === 'use' && given) {
    key.set(given);
  } else if (dialog.returnValue === 'forget') {
    key.forget();
  } else {
    return;
  }
  onOther();
}

export const keyButton = () => html`
  <button type="button" id="authorize"
    @click=${() => askForKey(key.get() ? 'A key is in use.' : 'No key is in use.')}>Key …</button>`;

export const keyDialog = (onOther) => html`
  <dialog id="key-dialog" aria-labelledby="key-heading" aria-describedby="key-text"
    @close=${({ currentTarget }) => closed(currentTarget, onOther)}>
    <form method="dialog">
      <h2 id="key-heading">API key</h2>
      <p id="key-text">${state.keyReason}</p>
      <div class="field">
        <label for="key">Key</label>
        <input id="key" type="password" autocomplete="off" autocapitalize="none" spellcheck="false">
        <p class="hint">This tab keeps it until it is closed.</p>
      </div>
      <div class="buttons">
        <button type="submit" value="use" class="primary">Use</button>
        <button type="submit" value="forget">Forget</button>
        <button type="submit" value="cancel">Cancel</button>
      </div>
    </form>
  </dialog>`;
