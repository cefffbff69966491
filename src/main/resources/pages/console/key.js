// The API key, which this tab keeps until it is closed.

import { key } from './api.js';
import { $, onFailure } from './page.js';

export function askForKey(reason) {
  const dialog = $('key-dialog');
  $('key-text').textContent = reason;
  $('key').value = '';
  if (!dialog.open) {
    dialog.returnValue = 'cancel';
    dialog.showModal();
  }
}

/** Calls what is to be done once there is another key, or none. */
export function onOtherKey(work) {
  $('key-dialog').addEventListener('close', () => {
    const choice = $('key-dialog').returnValue;
    const given = $('key').value.trim();
    $('key').value = '';
    if (choice === 'use' && given) {
      key.set(given);
    } else if (choice === 'forget') {
      key.forget();
    } else {
      return;
    }
    work();
  });
}

$('authorize').addEventListener('click', () => askForKey(key.get() ? 'A key is in use.' : 'No key is in use.'));

// Not of a look that nobody asked for: whoever has closed the dialog would see it again and again.
onFailure((problem) => {
  if (problem.status === 401) {
    askForKey(key.get() ? 'The key that was used is not known.' : 'This service asks for an API key.');
  }
});
