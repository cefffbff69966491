// Line plots, drawn by Chart.js, which is loaded for the first plot.

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

function dataset({ label, points, kind = 'line', paint }) {
  return {
    ...LOOKS[kind],
    label,
    data: points,
    borderColor: colour(paint),
    backgroundColor: colour(paint),
    order: kind === 'dot' ? 0 : 1,
  };
}

function scale({ words, marks = words, step, at, ...rest }) {
  return {
    ...rest,
    type: rest.type ?? 'linear',
    border: { color: colour('line') },
    grid: { color: colour('track') },
    afterBuildTicks: at && ((axis) => {
      axis.ticks = at.map((mark) => ({ value: mark }));
    }),
    // Long numbers would touch each other on a phone.
    ticks: { color: colour('soft'), maxTicksLimit: 7, stepSize: step, maxRotation: 0, autoSkipPadding: 12, callback: marks },
  };
}

function settings({ lines, x, y }) {
  return {
    animation: false,
    maintainAspectRatio: false,
    parsing: false,
    scales: { x: scale(x), y: scale(y) },
    interaction: { mode: 'nearest', axis: 'x', intersect: false },
    plugins: {
      legend: {
        position: 'bottom',
        labels: { color: colour('text'), usePointStyle: true, boxHeight: 6 },
      },
      tooltip: {
        callbacks: {
          title: ([item]) => x.words(item.parsed.x),
          label: (item) => `${item.dataset.label}: ${y.words(item.parsed.y)}`,
        },
      },
    },
  };
}

/** Draws into a canvas when the library is loaded, and again after changes. */
class Drawing extends AsyncDirective {
  update({ element }, [wanted]) {
    this.wanted = wanted;
    // Without the library, the caption remains.
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
 * A plot with a title, and a caption with the same information.
 *
 * @param wanted the `lines`, and the axes `x` and `y`, each with the `words` for its values, and
 * for its `marks` if they differ; `step` between its marks, or their values `at`
 */
export const plot = (id, title, text, wanted) => html`
  <figure>
    <p class="plot-title">${title}</p>
    <div class="plot"><canvas id=${id} role="img" aria-label=${text} ${drawing(wanted)}></canvas></div>
    <figcaption id="${id}-text" class="hint">${text}</figcaption>
  </figure>`;

dark.addEventListener('change', () => update());
