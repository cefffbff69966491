// What needs a second thought.

import { call, PATHS } from './api.js';
import { soon } from './connection.js';
import { describe } from './filter.js';
import { list } from './list.js';
import { fromNow, readSeconds } from './numbers.js';
import { $, confirmed, field, say } from './page.js';
import { state } from './state.js';

const unit = () => Number($('confirm-unit').value);
const deadline = field(
  'confirm-ttl', (text) => readSeconds(text, unit()),
  (seconds) => `Vanishes ${fromNow(Date.now() + 1000 * seconds)}`);

$('confirm-unit').addEventListener('change', deadline.show);
$('confirm-yes').addEventListener('click', (event) => {
  // Else the dialog would be closed, and what is wrong in it gone.
  if (!$('confirm-time').hidden && deadline.show().problem) {
    event.preventDefault();
    $('confirm-ttl').focus();
  }
});

export async function expire() {
  const { name } = state;
  const question = {
    title: `Set the deadline of ${name}`,
    text: 'Then the filter vanishes with all its elements.',
    yes: 'Set',
    time: true,
  };
  deadline.show();
  if (await confirmed(question)) {
    const body = { ttlSeconds: deadline.get() };
    await call('PUT', PATHS.expiry, { name, body });
    await changed(name, 'The deadline is set.');
  }
}

export async function keep() {
  const { name } = state;
  const question = {
    title: `Remove the deadline of ${name}?`,
    text: 'Then the filter stays until it is deleted.',
    yes: 'Remove',
  };
  if (await confirmed(question)) {
    await call('DELETE', PATHS.expiry, { name });
    await changed(name, 'The deadline is removed.');
  }
}

export async function clear() {
  const { name, adoptedKey } = state;
  const question = {
    title: `Clear ${name}?`,
    text: `All its elements are dropped${adoptedKey ? `, for the other users of ${adoptedKey} too` : ''}. ` +
      'Parameters and deadline stay. This cannot be undone.',
    yes: 'Clear',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('POST', PATHS.clear, { name });
    $('answers').replaceChildren();
    await changed(name, 'The filter is empty.');
  }
}

export async function replace() {
  const { name } = state;
  const file = $('file').files[0];
  const question = {
    title: `Replace the content of ${name}?`,
    text: `The lines of ${file.name} take the place of all its elements.`,
    yes: 'Replace',
    danger: true,
  };
  if (await confirmed(question)) {
    soon();
    await call('PUT', PATHS.elements, { name, lines: file });
    $('replace').reset();
    $('answers').replaceChildren();
    await changed(name, 'The content is replaced.');
  }
}

export async function commit() {
  const { name } = state;
  const question = {
    title: `Commit the rebuild of ${name}?`,
    text: 'What was loaded takes the place of all its elements, for every reader at once.',
    yes: 'Commit',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('POST', PATHS.commit, { name });
    $('answers').replaceChildren();
    await changed(name, 'The rebuild is committed.');
  }
}

export async function abort() {
  const { name } = state;
  const question = {
    title: `Abort the rebuild of ${name}?`,
    text: 'What was loaded is dropped. The filter keeps the elements it has.',
    yes: 'Abort',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('DELETE', PATHS.rebuild, { name });
    await changed(name, 'The rebuild is aborted.');
  }
}

export async function remove() {
  const { name, adoptedKey } = state;
  const question = {
    title: `Delete ${name}?`,
    text: adoptedKey
      ? `The filter lets go of the Redis key ${adoptedKey}, which keeps its elements.`
      : 'The filter and all its elements are dropped. This cannot be undone.',
    yes: 'Delete',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('DELETE', PATHS.filter, { name });
    location.hash = '';
    say(`${name} is deleted.`);
    await list();
  }
}

async function changed(name, message) {
  say(message);
  await Promise.all([describe(name), list()]);
}
