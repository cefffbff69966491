// What a filter that is being made will take, beside what else would do.

import { plotGrowth } from './growth.js';
import { bytes, number, significant } from './numbers.js';
import { $, figure, fill } from './page.js';
import { plotSizes, redisBloomShape } from './promise.js';

export function showNoSize() {
  fill($('sizing'));
  $('sizing-plot').hidden = true;
}

function showFigures(answer, note) {
  fill(
    $('sizing'),
    figure('Memory in Redis', bytes(answer.sizeBytes), note),
    figure('Bits for each element', significant(answer.bitsPerElement)),
    figure(answer.counting ? 'Counters an element raises' : 'Bits an element sets', number(answer.numHashFunctions)),
    figure('Segments', number(answer.segments), answer.segments > 1 ? 'of at most 2 MiB each' : ''));
}

/** What it costs to forget, or to remove. */
function noteOf({ window, counting }) {
  return window
    ? `for ${number(window.slices)} slices and one more; without forgetting ${bytes(window.fixedSizeBytes)}`
    : `in ${number(counting.counters)} counters; as bits ${bytes(counting.fixedSizeBytes)}`;
}

/** With `growth`, if it grows: by which factor, and to which bound, as they are read. */
export function showSize(answer, n, p, growth) {
  if (answer.window || answer.counting) {
    showFigures(answer, noteOf(answer));
    $('sizing-plot').hidden = true;
    return;
  }
  showFigures(answer, growth ? 'of the first layer' : '');
  const other = redisBloomShape(n, p);
  fill(
    $('others'),
    figure('Guava', bytes(answer.bitSize / 8), 'in the memory of each process'),
    figure('RedisBloom', bytes(other.bitSize / 8), 'as it makes room to grow; as much as here with NONSCALING'));
  $('beside').hidden = Boolean(growth);
  $('sizing-plot').hidden = Boolean(growth && (growth.times.problem || growth.most.problem));
  if (!growth) {
    plotSizes(n, p);
  } else if (!$('sizing-plot').hidden) {
    plotGrowth(n, p, growth.times.value, growth.most.value);
  }
}
