// The overview tab of a filter: its layers, slices or counters, its plots and its details.

import { bar, summaryOf } from './condition.js';
import { html, nothing } from './lit.js';
import { bytes, counted, moment, number, percent, significant, timeOfDay } from './numbers.js';
import { figure, note } from './parts.js';
import { pastPlots } from './past.js';
import { promiseInWords, ratePlot } from './promise.js';
import { sourceTrouble } from './source.js';
import { shares, slicesInWords } from './window.js';

const part = ([title, share, words]) => html`<li><span>${title}</span>${bar(share, share > 1.1)}<span class="hint">${words}</span></li>`;

const parts = (id, title, rows, text = nothing) => html`
  <section class="card" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${title}</h2>
    ${text === nothing ? nothing : html`<p class="hint">${text}</p>`}
    <ul id=${id} class="parts">${rows.map(part)}</ul>
  </section>`;

/** A bar for each layer with the used share of its capacity. */
const layers = (filter) => parts('layers', 'Layers', filter.layers.map((layer, index) => [
  `Layer ${number(index + 1)}`, layer.insertions / layer.expectedInsertions,
  `${number(layer.insertions)} of ${counted(layer.expectedInsertions, 'element')}, ${bytes(layer.sizeBytes)}, ` +
    `${percent(layer.bitsSet / layer.bitSize)} of its bits set`]));

/** When a slice was opened, with the date if it was not today. */
const opened = (iso) => `Since ${new Date(iso).toDateString() === new Date().toDateString() ? timeOfDay(new Date(iso)) : moment(iso)}`;

/** A bar for each slice, newest first: how much of its share of the capacity is used. */
function slices(filter) {
  const capacity = filter.expectedInsertions / shares(filter);
  return parts('slices', 'Slices', filter.liveSlices.map((slice, index) => [
    slice.openedAt ? opened(slice.openedAt) : `Slice ${number(index + 1)}${index === 0 ? ', newest' : ''}`,
    slice.elements / capacity,
    `${number(slice.elements)} of ${counted(Math.round(capacity), 'element')}, ${percent(slice.fillRatio)} of its bits set`]),
  slicesInWords(filter.window, filter.slices));
}

const counters = (filter) => parts('counters', 'Counters', [
  ['Counters in use', filter.fillRatio, `${number(filter.bitsSet)} of ${number(filter.counters)}, ${percent(filter.fillRatio)}`],
  ['Counters at maximum', filter.saturatedCounters / filter.counters, filter.saturatedCounters > 0
    ? `${number(filter.saturatedCounters)} stay at 15, so elements that share them cannot be removed` : 'none'],
]);

function keyNote(filter) {
  if (filter.adopted) {
    return 'adopted: another library uses it too';
  }
  return filter.segments > 1 ? `the first of ${number(filter.segments)} segments` : '';
}

/** Below ten seconds with one decimal, so that the text does not change its length. */
const seconds = (count) => `${count < 10 ? count.toFixed(1) : significant(count)}\u00a0s`;

const behind = ({ followers, lagSeconds }) => (lagSeconds === null
  ? followers > 0 && 'none is complete yet' : `at most ${seconds(lagSeconds)} behind`);

/** The copies of a filter that is watched, in the instance and in the programs that follow it. */
const copies = (its) => [
  figure('Copy in memory', its.ageSeconds === null ? 'being read' : `${seconds(its.ageSeconds)} old`,
    'on this instance, for followers and tests with maxAge'),
  its.followers + its.bytesSent > 0 ? figure('Edge copies', counted(its.followers, 'follower'),
    [behind(its), `${bytes(its.bytesSent)} sent by this instance`].filter(Boolean).join(', ')) : nothing,
];

const WHEN_FULL = { accept: 'keeps accepting', reject: 'refuses new elements', grow: 'adds a layer' };

const details = (filter) => [
  filter.window ? nothing : figure('When full', WHEN_FULL[filter.whenFull]),
  filter.counting
    ? figure('Adds minus removals', number(filter.insertions))
    : figure(filter.adopted && filter.hashScheme !== 'rueidisprob' ? 'Adds through this service that set a bit' : 'Adds that set a bit', number(filter.insertions)),
  filter.counting || filter.window || filter.layers ? nothing : figure(
    'Bits set', percent(filter.fillRatio), `${number(filter.bitsSet)} of ${number(filter.bitSize)}`),
  figure('Hash functions (k)', number(filter.numHashFunctions)),
  figure('Hash scheme', [filter.hashScheme, filter.elementCodec].filter(Boolean).join(', ')),
  filter.copies ? copies(filter.copies) : nothing,
  figure('Created', moment(filter.createdAt), filter.generation > 1 && `now in generation ${number(filter.generation)}`),
  filter.template ? figure('Template', html`<code>POST …/NEW/add?like=${filter.name}</code>`,
    'creates the filter NEW with these parameters by its first add', 'wide') : nothing,
  figure('Redis key', html`<code>${filter.redisKey}</code>`, keyNote(filter), 'wide'),
];

/** The bars for the parts of a filter. */
const ofKind = (filter) => [
  filter.layers ? layers(filter) : nothing,
  filter.window ? slices(filter) : nothing,
  filter.counting ? counters(filter) : nothing,
];

export const overviewTab = (filter) => html`
  ${note('warning', 'connection', filter.schemeWarning ?? filter.windowWarning)}
  ${note('source', 'connection', sourceTrouble(filter.source))}
  ${ofKind(filter)}
  <section class="card" id="plots" aria-labelledby="plots-heading">
    <h2 id="plots-heading" class="hidden">Plots</h2>
    <div class="plots">
      ${filter.layers || filter.window || filter.schemeWarning ? nothing : ratePlot('curve', {
        ...summaryOf(filter), k: filter.numHashFunctions, m: filter.counters ?? filter.bitSize })}
      ${pastPlots(filter)}
    </div>
  </section>
  <section class="card" aria-labelledby="details-heading">
    <h2 id="details-heading" class="hidden">Details</h2>
    <p id="promise">${promiseInWords(filter)}</p>
    <dl id="figures" class="figures">${details(filter)}</dl>
  </section>`;
