// Lines in a plot, drawn by Chart.js, which is loaded once the first plot is wanted.

import { AsyncDirective, directive, html, noChange } from './lit.js';
import { update } from './state.js';

const LIBRARY = './chart.js-4.5.1/dist/chart.umd.min.js';
const dark = matchMedia('(prefers-color-scheme: dark)');

let library;

const chartJs = () => (library ??= import(LIBRARY).then(() => globalThis.Chart));

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const LOOKS = {
  line: { borderWidth: 2, pointRadius: 0, pointStyle: 'line' },
  dashed: { borderWidth: 2, pointRadius: 0, pointStyle: 'line', borderDash: [6, 5] },
  dot: { pointRadius: 6, pointHoverRadius: 6, showLine: false, clip: 8 },
};

function dataset({ label, points, kind = 'line', paint, axis = 'y', isStepped = false }) {
  return {
    ...LOOKS[kind],
    label,
    data: points,
    yAxisID: axis,
    stepped: isStepped,
    borderColor: colour(paint),
    backgroundColor: colour(paint),
    order: kind === 'dot' ? 0 : 1,
  };
}

function scale({ title, words, step, ...rest }, isSecond) {
  return {
    ...rest,
    type: rest.type ?? 'linear',
    position: isSecond ? 'right' : undefined,
    title: { display: true, text: title, color: colour('soft') },
    border: { color: colour('line') },
    grid: { color: colour('track'), drawOnChartArea: !isSecond },
    ticks: { color: colour('soft'), maxTicksLimit: 7, stepSize: step, maxRotation: 0, callback: words },
  };
}

function settings({ x, y, y2 }) {
  const scales = { x: scale(x), y: scale(y) };
  if (y2) {
    scales.y2 = scale(y2, true);
  }
  return {
    animation: false,
    maintainAspectRatio: false,
    parsing: false,
    scales,
    interaction: { mode: 'nearest', axis: 'x', intersect: false },
    plugins: {
      legend: {
        position: 'bottom',
        labels: { color: colour('text'), usePointStyle: true, boxHeight: 6 },
      },
      tooltip: {
        callbacks: {
          title: ([item]) => x.words(item.parsed.x),
          label: (item) => `${item.dataset.label}: ${(item.dataset.yAxisID === 'y2' ? y2 : y).words(item.parsed.y)}`,
        },
      },
    },
  };
}

/** Draws in a canvas once the library is there, and only what has changed. */
class Drawing extends AsyncDirective {
  update({ element }, [wanted]) {
    this.wanted = wanted;
    // The caption says it all where the library does not come.
    this.draw(element).catch(() => element.parentElement.classList.add('undrawn'));
    return noChange;
  }

  async draw(canvas) {
    const Chart = await chartJs();
    const { wanted } = this;
    const state = JSON.stringify([wanted, dark.matches]);
    if (this.drawn === state || !this.isConnected) {
      return;
    }
    this.drawn = state;
    const datasets = wanted.lines.map(dataset);
    if (this.chart) {
      this.chart.data.datasets = datasets;
      this.chart.options = settings(wanted);
      this.chart.update('none');
    } else {
      this.chart = new Chart(canvas, { type: 'line', data: { datasets }, options: settings(wanted) });
    }
  }

  disconnected() {
    this.chart?.destroy();
  }
}

const drawing = directive(Drawing);

/**
 * Lines in a figure, and what they say in its caption.
 *
 * @param wanted the `lines`, and the axes `x`, `y` and `y2`, each with its `title` and `words` for its values
 */
export const plot = (id, text, wanted) => html`
  <figure>
    <div class="plot"><canvas id=${id} role="img" aria-label=${text} ${drawing(wanted)}></canvas></div>
    <figcaption id="${id}-text" class="hint">${text}</figcaption>
  </figure>`;

dark.addEventListener('change', () => update());
