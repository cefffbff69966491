// One filter as it is shown.

import { clear, expire, keep, merge } from './actions.js';
import { askCard } from './ask.js';
import { figures, fillBar } from './figures.js';
import { describe } from './filter.js';
import { list } from './list.js';
import { html, nothing } from './lit.js';
import { loadCard } from './load.js';
import { copy, exportFile, importFile, remove, rename } from './moves.js';
import { number, percent } from './numbers.js';
import { button, note } from './parts.js';
import { pastPlot } from './past.js';
import { promiseInWords, promisePlot } from './promise.js';
import { rebuildCard, sourceCard, sourceTrouble } from './rebuild.js';
import { state } from './state.js';

const isReady = (filter) => filter?.state === 'ready';

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

const summaryCard = (filter, word, text) => html`
  <section class="card" aria-labelledby="described-heading">
    <div class="head">
      <h2 id="described-heading" class="name" tabindex="-1">${filter?.name ?? state.name}</h2>
      <span id="state" class="badge ${word === 'gone' ? 'damaged' : word}">${word}</span>
      ${button('refresh', 'Refresh', () => Promise.all([describe(state.name), list()]))}
    </div>
    <p id="summary" class="summary">${text}</p>
    <p id="promise">${filter ? promiseInWords(filter) : ''}</p>
    ${note('warning', 'note', filter?.schemeWarning ?? filter?.windowWarning)}
    ${note('source', 'trouble', sourceTrouble(filter?.source))}
    ${filter ? fillBar(filter) : nothing}
    <dl id="figures" class="figures">${filter ? figures(filter) : nothing}</dl>
  </section>`;

const plotsCard = (filter) => html`
  <section class="card" id="plots" aria-labelledby="plots-heading">
    <h2 id="plots-heading">How good it is</h2>
    <div class="plots">${promisePlot(filter)}${pastPlot(filter)}</div>
  </section>`;

/** What cannot be done to a filter that is not whole is off. */
function changeCard(filter, isWhole) {
  const whole = { isOff: !isWhole };
  const alone = { isOff: !isWhole || Boolean(filter.rebuild) };
  return html`
    <section class="card" aria-labelledby="change-heading">
      <h2 id="change-heading">Change</h2>
      <p class="note" data-lacks="admin">Whole filters are changed with a key of the role admin only.</p>
      <div class="buttons" data-needs="admin">
        ${button('expire', filter?.expiresAt ? 'Change the deadline …' : 'Set the deadline …', expire, whole)}
        ${button('keep', 'Remove the deadline …', keep, { isHidden: !filter?.expiresAt })}
        ${button('rename', 'Rename …', rename, whole)}
        ${button('copy', 'Copy …', copy, whole)}
        ${button('merge', 'Merge …', merge, alone)}
        ${button('export', 'Export …', exportFile, whole)}
        ${button('import', 'Import …', importFile)}
        ${button('clear', 'Clear …', clear, { ...alone, kind: 'danger' })}
        ${button('delete', 'Delete …', remove, { kind: 'danger' })}
      </div>
    </section>`;
}

function cards(filter, lost) {
  const isWhole = isReady(filter) && !lost;
  return [
    isReady(filter) ? plotsCard(filter) : nothing,
    filter ? askCard(!isWhole) : nothing,
    loadCard(filter?.rebuild),
    rebuildCard(filter?.rebuild),
    filter?.source ? sourceCard(filter.source) : nothing,
    changeCard(filter, isWhole),
  ];
}

export function described() {
  const { filter, lost, view } = state;
  const isKnown = filter || lost;
  return html`
    <div id="described" ?hidden=${view !== 'described'}>
      ${summaryCard(filter, lost?.word ?? filter?.state, isKnown && (lost?.text ?? contentOf(filter)))}
      ${isKnown ? cards(filter, lost) : nothing}
    </div>`;
}
