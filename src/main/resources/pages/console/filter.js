// One filter: what it is and how it is.

import { call, look, PATHS } from './api.js';
import { showAsk } from './ask.js';
import { missed } from './connection.js';
import { renderFigures } from './figures.js';
import { linkOf, markCurrent } from './list.js';
import { number, percent } from './numbers.js';
import { plotPast } from './past.js';
import { plotPromise, promiseInWords } from './promise.js';
import { $, attempt, enable, fill, show } from './page.js';
import { renderRebuild, renderSource } from './rebuild.js';
import { nameIn, state } from './state.js';

/** Of these the filter is not the reason. */
const NOT_ALLOWED = [401, 403, 429];

/** Of answers only the one that was asked for last is shown. */
let asked = 0;
let answered = 0;

function isLast(question) {
  const isNewer = question > answered;
  answered = Math.max(question, answered);
  return isNewer;
}

export async function describe(name) {
  const question = (asked += 1);
  const filter = await call('GET', PATHS.filter, { name });
  if (name === state.name && isLast(question)) {
    show('described');
    render(filter);
  }
}

/** Brings what is shown up to date; a form that was opened meanwhile stays. */
export async function refresh(signal) {
  const { name } = state;
  const question = (asked += 1);
  const isWanted = () => name === state.name && $('creation').hidden && isLast(question);
  if (!name || !$('creation').hidden) {
    return;
  }
  try {
    const filter = await look(PATHS.filter, { name, signal });
    if (isWanted()) {
      // It may not have been there, or nobody to tell of it, when it was asked for.
      show('described');
      render(filter);
    }
  } catch (problem) {
    if (problem.isAway || NOT_ALLOWED.includes(problem.status)) {
      throw problem;
    }
    if (isWanted() && !$('described').hidden) {
      renderLost(problem);
    }
  }
}

/** It was there and is not any more, or not whole. */
function renderLost(problem) {
  $('state').textContent = problem.status === 404 ? 'gone' : 'damaged';
  $('state').className = 'badge damaged';
  $('summary').textContent = problem.message;
  $('ask').hidden = true;
  disable();
}

/** What cannot be done to a filter that is not whole. */
function disable() {
  for (const id of ['expire', 'clear', 'merge', 'rename', 'copy', 'export']) {
    enable(id, false);
  }
}

function render(filter) {
  state.adoptedKey = filter.adopted ? filter.redisKey : null;
  state.isCounting = Boolean(filter.counting);
  showAsk();
  $('described-heading').textContent = filter.name;
  $('state').textContent = filter.state;
  $('state').className = `badge ${filter.state}`;
  const isReady = filter.state === 'ready';
  $('ask').hidden = !isReady;
  enable('expire', isReady);
  for (const id of ['clear', 'merge']) {
    enable(id, isReady && !filter.rebuild);
  }
  for (const id of ['rename', 'copy', 'export']) {
    enable(id, isReady);
  }
  $('expire').textContent = filter.expiresAt ? 'Change the deadline …' : 'Set the deadline …';
  $('keep').hidden = !filter.expiresAt;
  $('summary').textContent = isReady
    ? contentOf(filter)
    : `Being created: ${filter.segmentsReady} of ${filter.segments} segments are made.`;
  $('warning').textContent = filter.schemeWarning ?? '';
  $('warning').hidden = !filter.schemeWarning;
  renderSource(filter.source);
  renderFigures(filter);
  renderRebuild(filter.rebuild);
  $('promise').textContent = promiseInWords(filter);
  $('plots').hidden = !isReady;
  if (isReady) {
    plotPromise(filter);
    plotPast(filter);
  }
}

function contentOf(filter) {
  const n = filter.expectedInsertions;
  const held = filter.approximateElementCount;
  if (filter.bitsSet === 0) {
    return `Empty. It has room for ${number(n)} elements.`;
  }
  if (held === null) {
    return 'Saturated: nearly every test is answered maybe. Create a larger filter.';
  }
  if (filter.window) {
    return `Remembers about ${number(held)} elements. It was made for ${number(n)} in a window.`;
  }
  const part = `Holds about ${number(held)} of ${number(n)} elements, ${percent(held / n)}.`;
  return held > n && !filter.layers ? `${part} More than it was sized for, so the rate is above the promised one.` : part;
}

/** Shows the filter that the address names, or the start. */
export function follow() {
  const name = nameIn(location.hash);
  state.name = name;
  markCurrent();
  $('answers').replaceChildren();
  $('load-result').textContent = '';
  showAsk();
  if (!name) {
    show('welcome');
    return undefined;
  }
  return attempt(async () => {
    try {
      await describe(name);
      $('described-heading').focus();
    } catch (problem) {
      showDamaged(name);
      if (!problem.isAway) {
        throw problem;
      }
      missed(problem);
    }
  });
}

/** What cannot be described may still be deleted. */
function showDamaged(name) {
  if (name !== state.name) {
    return;
  }
  if (!linkOf(name)?.querySelector('.badge.damaged')) {
    show('welcome');
    return;
  }
  show('described');
  $('described-heading').textContent = name;
  $('state').textContent = 'damaged';
  $('state').className = 'badge damaged';
  $('summary').textContent = 'Its elements are not known any more. Replace its content, or delete it.';
  $('promise').textContent = '';
  renderRebuild(null);
  state.adoptedKey = null;
  state.isCounting = false;
  for (const id of ['warning', 'source', 'source-card', 'ask', 'keep', 'fill', 'plots']) {
    $(id).hidden = true;
  }
  fill($('figures'));
  disable();
}
