// Elements from a file, one a line.

import { PATHS, Problem } from './api.js';
import { showCurl } from './curl.js';
import { soon } from './connection.js';
import { confirmed } from './dialog.js';
import { describe } from './filter.js';
import { list } from './list.js';
import { number } from './numbers.js';
import { $, say } from './page.js';
import { state } from './state.js';
import { Cancelled, upload } from './transfer.js';

/** What may become of the lines, and what is left of them when it is cancelled. */
const WAYS = {
  add: {
    method: 'POST', path: PATHS.add,
    cancelled: 'What was sent until then may have been added.',
    done: (answer) => `${number(answer.received)} lines are read; ${number(answer.addedCount)} were new.`,
  },
  replace: {
    method: 'PUT', path: PATHS.elements,
    cancelled: 'Nothing is changed: the filter has the elements it had.',
    done: () => 'The content is replaced.',
  },
  rebuild: {
    method: 'POST', path: PATHS.load,
    cancelled: 'What was sent until then stays in the rebuild; abort it to drop that.',
    done: (answer) => `${number(answer.received)} lines are loaded. Commit the rebuild to let them answer.`,
  },
};

/** The rebuild for which a way was offered last. */
let offered = null;

const wayOf = () => WAYS[$('load-way').value];

const requestFor = (file) => ({
  method: wayOf().method, path: wayOf().path, name: state.name, type: 'text/plain', file,
});

/** Shows what may be done with a file now. */
export function offerLoad(rebuild) {
  const way = $('load-way');
  for (const option of way.options) {
    const isRebuild = option.value === 'rebuild';
    // A replacement is a rebuild of its own.
    option.disabled = rebuild ? option.value === 'replace' || (isRebuild && rebuild.state !== 'open') : isRebuild;
  }
  const id = rebuild?.id ?? null;
  if (id !== offered) {
    // Who opens a rebuild means to load it.
    offered = id;
    way.value = rebuild ? 'rebuild' : 'add';
  }
  showLoad();
}

function showLoad() {
  showCurl('load-curl', requestFor($('file').files[0]?.name ?? 'elements.txt'));
}

export async function load() {
  const { name } = state;
  const [file] = $('file').files;
  if (!file) {
    throw new Problem('There is no file', 'Choose a file with one element a line.');
  }
  const way = wayOf();
  let request = requestFor(file.name);
  if (way === WAYS.replace) {
    request = await confirmed({
      title: `Replace the content of ${name}?`,
      text: `The lines of ${file.name} take the place of all its elements, in one step when all of them are read.`,
      yes: 'Replace',
      danger: true,
      request: () => requestFor(file.name),
    });
  }
  if (!request) {
    return;
  }
  soon();
  try {
    const answer = await upload(request, file);
    $('load-form').reset();
    $('answers').replaceChildren();
    $('load-result').textContent = way.done(answer);
  } catch (problem) {
    if (!(problem instanceof Cancelled)) {
      throw problem;
    }
    $('load-result').textContent = `Cancelled. ${way.cancelled}`;
  }
  say($('load-result').textContent);
  await Promise.all([name === state.name && describe(name), list()]);
}

$('load-way').addEventListener('change', showLoad);
$('file').addEventListener('change', showLoad);
