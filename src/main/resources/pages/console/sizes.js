// The size of a new filter, compared with other libraries.

import { growthPlot } from './growth.js';
import { html, nothing } from './lit.js';
import { bytes, counted, number, significant } from './numbers.js';
import { figure } from './parts.js';
import { ratePlot, redisBloomBits, sizePlot } from './promise.js';
import { state } from './state.js';
import { windowPlot } from './window.js';

/** The cost of this kind of filter. */
function noteOf({ window, counting }, growth) {
  if (window) {
    return `in ${counted(window.slices, 'slice')}; without a window ${bytes(window.fixedSizeBytes)}`;
  }
  return counting
    ? `in ${number(counting.counters)} counters; without them ${bytes(counting.fixedSizeBytes)}`
    : growth && 'for the first layer';
}

const figures = ({ answer, n, p, kind, growth }) => [
  figure('Size', bytes(answer.sizeBytes), noteOf(answer, growth)),
  figure('Bits per element', significant(answer.bitsPerElement)),
  figure('Hash functions (k)', number(answer.numHashFunctions)),
  answer.segments > 1 ? figure('Segments', number(answer.segments), 'of at most 2 MiB each') : nothing,
  kind === 'fixed' ? figure('Guava', bytes(answer.bitSize / 8), 'in each process') : nothing,
  kind === 'fixed' ? figure('RedisBloom', bytes(redisBloomBits(n, p) / 8), 'without NONSCALING') : nothing,
];

/** The plots for this kind of filter. */
const plotsOf = ({ answer, n, p, kind, growth }) => ({
  fixed: () => [curve(answer, n, p), sizePlot(n, p)],
  grows: () => growthPlot(n, p, growth.times, growth.most),
  forgets: () => windowPlot(answer.window.remembered, answer.window.slices),
  counts: () => curve(answer, n, p),
  library: () => (answer.schemeWarning ? nothing : curve(answer, n, p)),
})[kind]();

const curve = ({ bitSize, numHashFunctions, counting }, n, p) => ratePlot('curve', {
  capacity: n, target: p, k: numHashFunctions, m: counting?.counters ?? bitSize });

/** The figures of the last valid values stay until other values are valid. */
export function sizing() {
  const { answer, isOld, problem } = state.sizing ?? {};
  return html`
    <dl id="sizing" class="figures" aria-live="polite">${answer ? figures(state.sizing) : nothing}</dl>
    <p id="sizing-warning" class="hint" ?hidden=${!answer?.schemeWarning}>${answer?.schemeWarning}</p>
    <p id="sizing-problem" class="hint wrong" ?hidden=${!problem}>${problem}</p>
    <p id="sizing-old" class="hint" ?hidden=${!isOld}>These figures are for the last valid values.</p>
    <div id="sizing-plot" class="plots">${answer ? plotsOf(state.sizing) : nothing}</div>`;
}
