// The rebuild of a filter and its source: how far they are.

import { bytes, fromNow, moment, number, oneIn, percent, significant } from './numbers.js';
import { offerLoad } from './load.js';
import { $, enable, figure, fill } from './page.js';

/** Of the rebuild that is shown, what was there at the first look. */
let first = null;

/** How many elements come a second, and when it holds all it was made for. */
function pace({ id, elementsReceived, expectedInsertions }) {
  if (first?.id !== id) {
    first = { id, elementsReceived, time: Date.now() };
  }
  const speed = (elementsReceived - first.elementsReceived) / ((Date.now() - first.time) / 1000);
  if (!(speed > 0)) {
    return '';
  }
  const left = expectedInsertions - elementsReceived;
  return `${significant(speed, 2)} a second${left > 0 ? `; it has all it is made for ${fromNow(Date.now() + (1000 * left) / speed)}` : ''}`;
}

/** The rebuild that is open and how far it is, or the way to begin one. */
export function renderRebuild(rebuild) {
  $('open-rebuild').hidden = Boolean(rebuild);
  $('commit').hidden = !rebuild;
  $('abort').hidden = !rebuild;
  $('rebuild-bar').hidden = !rebuild;
  offerLoad(rebuild);
  if (!rebuild) {
    $('content-text').textContent =
      'A rebuild makes an empty filter beside this one, of another size if it must be. It is loaded while this one ' +
      'answers, and takes its place in one step; what is added meanwhile goes to both.';
    fill($('rebuild'));
    return;
  }
  const isOpen = rebuild.state === 'open';
  const held = rebuild.approximateElementCount;
  const share = held === null ? 1 : Math.min(1, held / rebuild.expectedInsertions);
  enable('commit', isOpen);
  $('rebuild-bar').value = share;
  $('rebuild-bar').setAttribute('aria-label', `The rebuild has ${percent(share)} of the elements it is made for`);
  $('content-text').textContent = isOpen
    ? 'New content is being loaded. Tests are answered from the old one; adds go to both.'
    : `Being opened: ${rebuild.segmentsReady} of ${rebuild.segments} segments are made.`;
  fill(
    $('rebuild'),
    figure('Elements received', number(rebuild.elementsReceived), pace(rebuild) || `since ${moment(rebuild.openedAt)}`),
    figure('Holds about', held === null ? 'saturated' : number(held), `of ${number(rebuild.expectedInsertions)}`),
    figure('Strangers let through then', oneIn(rebuild.estimatedFalsePositiveProbability)),
    figure('Memory in Redis', bytes(rebuild.sizeBytes), 'beside that of the filter'),
    figure('Aborted if nothing comes', fromNow(rebuild.abandonedAt)));
}

function scheduleInWords(schedule) {
  if (!schedule) {
    return 'only when asked to';
  }
  return schedule.cron
    ? `by ${schedule.cron}${schedule.timeZone ? `, ${schedule.timeZone}` : ''}`
    : `every ${number(schedule.everySeconds)} seconds`;
}

function lastRun({ lastRun: last }) {
  if (!last) {
    return ['none yet', ''];
  }
  return last.error
    ? [`failed ${fromNow(last.finishedAt)}`, last.error.detail]
    : [fromNow(last.finishedAt), `${number(last.elements)} elements in ${significant(last.durationSeconds)} seconds`];
}

export function renderSource(source) {
  $('source-card').hidden = !source;
  if (!source) {
    return;
  }
  const error = source.lastRun?.error;
  $('source').hidden = !error;
  $('source').textContent = error
    ? `The last run of its source failed ${fromNow(source.lastRun.finishedAt)}, and left the content as it was. ${error.detail}`
    : '';
  const next = source.runningSince
    ? figure('Runs', `since ${moment(source.runningSince)}`)
    : figure('Next run', source.nextRunAt ? fromNow(source.nextRunAt) : 'not by itself', source.nextRunAt ? moment(source.nextRunAt) : '');
  enable('run', !source.runningSince);
  fill(
    $('source-figures'),
    figure('Reads', source.redisKey ?? source.url ?? source.file, source.redisKey ? 'a key in Redis' : source.format),
    figure('When', scheduleInWords(source.schedule)),
    next,
    figure('Last run', ...lastRun(source)));
}
