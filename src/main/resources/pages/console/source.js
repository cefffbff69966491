// The source of a filter: what it is, its schedule and its last run.

import { change } from './actions.js';
import { PATHS } from './api.js';
import { orNothing } from './fields.js';
import { html, nothing } from './lit.js';
import { counted, elementsIn, fromNow, moment, percent, significant } from './numbers.js';
import { button, figure } from './parts.js';
import { readCount, readPart, readSchedule } from './reading.js';
import { state, typed } from './state.js';
import { every } from './window.js';

const PLACES = [['redisKey', 'a set, sorted set or list in Redis'], ['url', 'a URL'], ['file', 'a file in the folder for sources']];
const FORMATS = [['lines', 'lines of text'], ['ndjson', 'JSON strings, one per line']];
const ENCODINGS = [['utf-8', 'text'], ['base64', 'base64'], ['hex', 'hex']];

const UNITS = [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]];

/** A schedule as it is typed. */
function typedSchedule({ cron, everySeconds } = {}) {
  if (!everySeconds) {
    return cron ?? '';
  }
  const [unit, length] = UNITS.find(([, each]) => everySeconds % each === 0);
  return `${everySeconds / length} ${unit}`;
}

const zoneOf = ({ cron, timeZone } = {}) => (cron && timeZone !== 'UTC' ? timeZone : '');

function scheduleInWords(schedule) {
  if (!schedule) {
    return 'on request only';
  }
  return schedule.cron
    ? `cron ${schedule.cron}${schedule.timeZone ? `, ${schedule.timeZone}` : ''}`
    : every(schedule.everySeconds);
}

/** Whether the dialog names a URL or a file, and whether its schedule has a time zone. */
const isFile = () => typed['ask-kind'] !== 'redisKey';
const isCron = () => Boolean(readSchedule(typed['ask-schedule']).value?.cron);

/** The fields of the dialog, with the values of the present source. */
function fieldsOf(source) {
  const kind = PLACES.map(([place]) => place).find((place) => source?.[place]) ?? 'redisKey';
  return [
    { id: 'kind', label: 'Source', value: kind, options: PLACES },
    { id: 'place', label: 'Redis key, URL or path', value: source?.[kind] ?? '',
      read: (text) => (text.trim() ? { value: text.trim() } : { problem: 'Enter the key, the URL or the path of the file.' }) },
    { id: 'format', label: 'Format', isShown: isFile, value: source?.format ?? 'lines', options: FORMATS },
    { id: 'encoding', label: 'Encoding', isShown: isFile, value: source?.encoding ?? 'utf-8', options: ENCODINGS },
    { id: 'schedule', label: 'Schedule', placeholder: '6 h or 0 3 * * *', value: typedSchedule(source?.schedule ?? {}), read: readSchedule,
      words: (schedule) => (schedule ? scheduleInWords(schedule) : 'Empty: on request only') },
    { id: 'zone', label: 'Time zone', isShown: isCron, placeholder: 'UTC', value: zoneOf(source?.schedule ?? {}), hint: 'Such as Europe/Berlin' },
    { id: 'least', label: 'Minimum elements', value: source?.minElements ? String(source.minElements) : '', read: orNothing(readCount),
      words: (count, text) => (count ? elementsIn(count, text) : 'A run with fewer fails and changes nothing') },
    { id: 'share', label: 'Minimum share of the last run', placeholder: '50 %', read: orNothing(readPart),
      value: source ? `${Number((100 * source.minShareOfLastRun).toPrecision(6))} %` : '' },
    { id: 'empty', label: 'An empty source empties the filter', kind: 'checkbox', value: Boolean(source?.allowEmpty) },
  ];
}

/** The body of the request, without what does not apply. */
const bodyOf = ({ kind, place, format, encoding, schedule, zone, least, share, empty }) => ({
  [kind]: place,
  ...(kind !== 'redisKey' && { format, encoding }),
  schedule: schedule && { ...schedule, timeZone: schedule.cron && zone.trim() ? zone.trim() : undefined },
  minElements: least,
  minShareOfLastRun: share,
  allowEmpty: empty || undefined,
});

const setSource = () => change((name) => ({
  title: `${state.filter.source ? 'Change' : 'Set'} the source of ${name}`,
  text: 'A run reads the source into a rebuild and replaces the content in one step. Nothing is read before the first run.',
  yes: 'Set',
  fields: fieldsOf(state.filter.source),
  request: (values) => ({ method: 'PUT', path: PATHS.source, name, body: bodyOf(values) }),
}), 'The source was set.');

const removeSource = () => change((name) => ({
  title: `Remove the source of ${name}?`,
  text: 'The content stays. A run in progress ends without effect.',
  yes: 'Remove',
  danger: true,
  request: () => ({ method: 'DELETE', path: PATHS.source, name }),
}), 'The source was removed.');

const runSource = () => change((name) => ({
  title: `Rebuild ${name} from its source now?`,
  text: 'Replaces the content in one step, once all elements of the source have been read.',
  yes: 'Run',
  request: () => ({ method: 'POST', path: PATHS.run, name }),
}), 'The run has started.');

function lastRun({ lastRun: last }) {
  if (!last) {
    return ['none yet', ''];
  }
  return last.error
    ? [`failed ${fromNow(last.finishedAt)}`, last.error.detail]
    : [fromNow(last.finishedAt), `${counted(last.elements, 'element')} in ${significant(last.durationSeconds)} seconds`];
}

/** The failure of the last run; empty if it succeeded. */
export function sourceTrouble(source) {
  const { error, finishedAt } = source?.lastRun ?? {};
  return error && `The last rebuild from the source failed ${fromNow(finishedAt)}. The content is unchanged. ${error.detail}`;
}

/** What a run must have, or it fails. */
function minimum({ minElements, minShareOfLastRun, allowEmpty }) {
  const parts = [
    minElements && counted(minElements, 'element'),
    minShareOfLastRun && `${percent(minShareOfLastRun)} of the last run`,
  ].filter(Boolean);
  return parts.join(', ') || (allowEmpty ? 'nothing' : counted(1, 'element'));
}

const figures = (source) => html`
  <dl id="source-figures" class="figures">
    ${figure('Reads', source.redisKey ?? source.url ?? source.file, source.redisKey ? 'a key in Redis' : source.format)}
    ${figure('When', scheduleInWords(source.schedule))}
    ${source.runningSince
      ? figure('Running', `since ${moment(source.runningSince)}`)
      : figure('Next run', source.nextRunAt ? fromNow(source.nextRunAt) : 'none scheduled', source.nextRunAt ? moment(source.nextRunAt) : '')}
    ${figure('Last run', ...lastRun(source))}
    ${figure('Needs at least', minimum(source), 'or a run fails')}
  </dl>`;

/** @param source null if the filter has none */
export const sourceCard = (source) => html`
  <section class="card" id="source-card" aria-labelledby="source-heading">
    <h2 id="source-heading">Source</h2>
    ${source ? figures(source) : html`<p class="note">The service can rebuild the filter from a key in Redis, a URL or a file, on request or on a schedule.</p>`}
    <div class="buttons" data-needs="admin">
      ${button('run', 'Run now …', runSource, { isHidden: !source, isOff: Boolean(source?.runningSince) })}
      ${button('set-source', source ? 'Change …' : 'Set a source …', setSource)}
      ${button('remove-source', 'Remove …', removeSource, { isHidden: !source, kind: 'danger' })}
    </div>
  </section>`;
