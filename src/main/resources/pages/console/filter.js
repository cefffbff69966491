// One filter: what it is and how it is.

import { call, PATHS } from './api.js';
import { missed } from './connection.js';
import { renderFigures } from './figures.js';
import { linkOf, markCurrent } from './list.js';
import { fromNow, moment, number, oneIn, percent, bytes } from './numbers.js';
import { plotPast } from './past.js';
import { plotPromise, promiseInWords } from './promise.js';
import { $, attempt, enable, figure, fill, show } from './page.js';
import { nameIn, state } from './state.js';

/** Of these the filter is not the reason. */
const NOT_ALLOWED = [401, 403, 429];

export async function describe(name) {
  const filter = await call('GET', PATHS.filter, { name });
  if (name === state.name) {
    show('described');
    render(filter);
  }
}

/** Brings what is shown up to date; a form that was opened meanwhile stays. */
export async function refresh(signal) {
  const { name } = state;
  const isWanted = () => name === state.name && $('creation').hidden;
  if (!name || !isWanted()) {
    return;
  }
  try {
    const filter = await call('GET', PATHS.filter, { name, signal });
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
  enable('expire', false);
  enable('clear', false);
}

function render(filter) {
  state.adoptedKey = filter.adopted ? filter.redisKey : null;
  $('described-heading').textContent = filter.name;
  $('state').textContent = filter.state;
  $('state').className = `badge ${filter.state}`;
  const isReady = filter.state === 'ready';
  $('ask').hidden = !isReady;
  enable('expire', isReady);
  enable('clear', isReady && !filter.rebuild);
  $('expire').textContent = filter.expiresAt ? 'Change the deadline …' : 'Set the deadline …';
  $('keep').hidden = !filter.expiresAt;
  $('summary').textContent = isReady
    ? contentOf(filter)
    : `Being created: ${filter.segmentsReady} of ${filter.segments} segments are made.`;
  $('warning').textContent = filter.schemeWarning ?? '';
  $('warning').hidden = !filter.schemeWarning;
  renderSource(filter.source);
  renderFigures(filter);
  renderContent(filter.rebuild);
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
  const part = `Holds about ${number(held)} of ${number(n)} elements, ${percent(held / n)}.`;
  return held > n ? `${part} More than it was sized for, so the rate is above the promised one.` : part;
}

function renderSource(source) {
  const error = source?.lastRun?.error;
  $('source').hidden = !error;
  $('source').textContent = error
    ? `The last run of its source failed ${fromNow(source.lastRun.finishedAt)}, and left the content as it was. ${error.detail}`
    : '';
}

/** The rebuild that is open and how far it is, or the way to begin one. */
function renderContent(rebuild) {
  $('replace').hidden = Boolean(rebuild);
  $('rebuild-buttons').hidden = !rebuild;
  if (!rebuild) {
    $('content-text').textContent =
      'The lines of a file take the place of all elements, in one step at their end. Until then, and if anything ' +
      'fails, tests are answered from what is there now.';
    fill($('rebuild'));
    return;
  }
  const isOpen = rebuild.state === 'open';
  enable('commit', isOpen);
  $('content-text').textContent = isOpen
    ? 'New content is being loaded. Tests are answered from the old one; adds go to both.'
    : `Being opened: ${rebuild.segmentsReady} of ${rebuild.segments} segments are made.`;
  fill(
    $('rebuild'),
    figure('Elements received', number(rebuild.elementsReceived), `since ${moment(rebuild.openedAt)}`),
    figure('Holds about', rebuild.approximateElementCount === null
      ? 'saturated' : number(rebuild.approximateElementCount), `of ${number(rebuild.expectedInsertions)}`),
    figure('Strangers let through then', oneIn(rebuild.estimatedFalsePositiveProbability)),
    figure('Memory in Redis', bytes(rebuild.sizeBytes), 'beside that of the filter'),
    figure('Aborted if nothing comes', fromNow(rebuild.abandonedAt)));
}

/** Shows the filter that the address names, or the start. */
export function follow() {
  const name = nameIn(location.hash);
  state.name = name;
  markCurrent();
  $('answers').replaceChildren();
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
  renderContent(null);
  state.adoptedKey = null;
  for (const id of ['warning', 'source', 'ask', 'keep', 'fill', 'plots']) {
    $(id).hidden = true;
  }
  fill($('figures'));
  enable('expire', false);
  enable('clear', false);
}
