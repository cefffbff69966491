// What a filter that is being made will take, beside what else would do.

import { growthPlot } from './growth.js';
import { html, nothing } from './lit.js';
import { bytes, number, significant } from './numbers.js';
import { figure } from './parts.js';
import { redisBloomShape, sizePlot } from './promise.js';
import { state } from './state.js';

const figures = (answer, note) => [
  figure('Memory in Redis', bytes(answer.sizeBytes), note),
  figure('Bits for each element', significant(answer.bitsPerElement)),
  figure(answer.counting ? 'Counters an element raises' : 'Bits an element sets', number(answer.numHashFunctions)),
  figure('Segments', number(answer.segments), answer.segments > 1 ? 'of at most 2 MiB each' : ''),
];

/** What it costs to grow, to forget, or to remove. */
function noteOf({ window, counting }, growth) {
  if (window) {
    return `for ${number(window.slices)} slices; without forgetting ${bytes(window.fixedSizeBytes)}`;
  }
  return counting
    ? `in ${number(counting.counters)} counters; as bits ${bytes(counting.fixedSizeBytes)}`
    : growth && 'of the first layer';
}

const others = (answer, n, p) => html`
  <div id="beside">
    <h3 class="subheading">What others would take for the same</h3>
    <dl id="others" class="figures">
      ${figure('Guava', bytes(answer.bitSize / 8), 'in the memory of each process')}
      ${figure('RedisBloom', bytes(redisBloomShape(n, p).bitSize / 8), 'as it makes room to grow; as much as here with NONSCALING')}
    </dl>
  </div>`;

/** Of what forgets or counts there is no plot, nor of a growth that is not understood. */
function plotOf({ answer, n, p, growth }) {
  if (!answer || answer.window || answer.counting || growth?.times.problem || growth?.most.problem) {
    return nothing;
  }
  return growth ? growthPlot(n, p, growth.times.value, growth.most.value) : [sizePlot(n, p), others(answer, n, p)];
}

export function sizing() {
  const { answer, growth, problem } = state.sizing ?? {};
  const plot = plotOf(state.sizing ?? {});
  return html`
    <dl id="sizing" class="figures" aria-live="polite">${answer ? figures(answer, noteOf(answer, growth)) : nothing}</dl>
    <p id="sizing-problem" class="field-problem" ?hidden=${!problem}>${problem}</p>
    <div id="sizing-plot" ?hidden=${plot === nothing}>${plot}</div>`;
}
