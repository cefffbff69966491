// The rebuild of a filter and its progress.

import { abort, commit, openRebuild } from './actions.js';
import { html } from './lit.js';
import { bytes, fromNow, moment, number, percent, rateWords, significant } from './numbers.js';
import { button, figure } from './parts.js';

/** The progress of the rebuild when it was first shown. */
let first = null;

/** The number of elements per second, and when the rebuild will be full. */
function pace({ id, elementsReceived, expectedInsertions }) {
  if (first?.id !== id) {
    first = { id, elementsReceived, time: Date.now() };
  }
  const speed = (elementsReceived - first.elementsReceived) / ((Date.now() - first.time) / 1000);
  if (!(speed > 0)) {
    return '';
  }
  const left = expectedInsertions - elementsReceived;
  return `${significant(speed, 2)} a second${left > 0 ? `; full ${fromNow(Date.now() + (1000 * left) / speed)}` : ''}`;
}

function inWords(rebuild) {
  if (!rebuild) {
    return 'A rebuild is a second, empty filter, optionally with a different size. Load it while this filter stays in use, then ' +
      'commit it to replace the content in one step. Until then, adds go to both.';
  }
  return 'New content is being loaded. Tests are answered from the old content, and adds go to both.';
}

const rebuildFigures = (rebuild, held) => [
  figure('Elements received', number(rebuild.elementsReceived), pace(rebuild) || `since ${moment(rebuild.openedAt)}`),
  figure('Holds about', held === null ? 'saturated' : number(held), `of ${number(rebuild.expectedInsertions)}`),
  figure('False positives', rateWords(rebuild.estimatedFalsePositiveProbability, rebuild.falsePositiveProbability), 'once it is committed'),
  figure('Size', bytes(rebuild.sizeBytes), 'in addition to the filter'),
  figure('Expires if idle', fromNow(rebuild.abandonedAt)),
];

/**
 * The open rebuild with its progress, or the form to open one.
 *
 * @param runningSince the start of a source run, which only the run can commit; undefined if there
 * is none
 */
export function rebuildCard(rebuild, runningSince) {
  const held = rebuild?.approximateElementCount;
  const share = held == null ? 1 : Math.min(1, held / rebuild.expectedInsertions);
  return html`
    <section class="card" id="content" aria-labelledby="content-heading">
      <h2 id="content-heading">Rebuild</h2>
      <p id="content-text" class="note">${inWords(rebuild)}</p>
      <progress id="rebuild-bar" max="1" value=${share} ?hidden=${!rebuild}
        aria-label="The rebuild has ${percent(share)} of its expected elements"></progress>
      <dl id="rebuild" class="figures" aria-live="off">${rebuild ? rebuildFigures(rebuild, held) : ''}</dl>
      <div class="buttons" data-needs="admin">
        ${button('open-rebuild', 'Open a rebuild …', openRebuild, { isHidden: Boolean(rebuild) })}
        ${button('commit', 'Commit …', commit, { kind: 'primary', isHidden: !rebuild, isOff: rebuild?.state !== 'open' || Boolean(runningSince) })}
        ${button('abort', 'Abort …', abort, { kind: 'danger', isHidden: !rebuild })}
      </div>
    </section>`;
}
